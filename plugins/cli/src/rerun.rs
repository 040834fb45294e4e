//! `--watch`: a command that runs again whenever its source changes.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(200);

/// The state of the files of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Snapshot(Vec<(PathBuf, Option<SystemTime>, u64)>);

impl Snapshot {
    /// Files themselves, and those of crates' folders: their sources and manifests, without what is built.
    pub(crate) fn of(sources: &[&Path]) -> Snapshot {
        let mut files = Vec::new();
        let mut pending: Vec<PathBuf> = sources.iter().map(|source| source.to_path_buf()).collect();
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
                // Links are not followed: they may lead back.
                let is_kept = |entry: &DirEntry| {
                    let name = entry.file_name();
                    let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                    !is_link && name != "target" && !name.to_string_lossy().starts_with('.')
                };
                pending.extend(entries.filter(is_kept).map(|entry| entry.path()));
            } else if sources.contains(&&*path) || has_source(&path) {
                let found = std::fs::metadata(&path);
                let size = found.as_ref().map_or(0, std::fs::Metadata::len);
                files.push((path, found.and_then(|found| found.modified()).ok(), size));
            }
        }
        files.sort();
        Snapshot(files)
    }

    /// Waits until the files differ, and have been left alone for a moment.
    pub(crate) fn wait(self, sources: &[&Path]) -> Snapshot {
        let mut seen = self;
        let mut has_changed = false;
        loop {
            std::thread::sleep(PERIOD);
            let now = Snapshot::of(sources);
            match now == seen {
                true if has_changed => return now,
                true => {}
                false => has_changed = true,
            }
            seen = now;
        }
    }
}

fn has_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs" || extension == "toml")
}
