//! Reads the files of crates that the program may load later, for what is decided once for the whole program.
//!
//! A crate is loaded when a path leads into it. Whether objects are dropped, owners counted and capacities kept is
//! decided earlier, and depends on every file that may be lowered: on those of the crates that the user's files name,
//! of the crates that these name, and so on.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use super::crates::is_replaced;
use crate::program::Program;
use crate::provided::provided;
use crate::source::PRELUDE;
use crate::source::cargo::Graph;

/// Sees a text; breaks if no other one could add anything.
type Visitor<'v> = dyn FnMut(&str) -> ControlFlow<()> + 'v;

impl Program {
    /// Calls `see` with the text of each file of the crates that the program names, until it breaks. The crates of
    /// registered items are not followed: they depend on the one that registers items.
    pub(crate) fn visit_named_crates(&self, see: &mut Visitor<'_>) {
        let user = self.krate(self.node(self.root()).krate);
        let Some(package) = user.package.filter(|_| !self.is_of_process) else { return };
        let files = self.sources.written();
        let own = files.iter().filter(|(name, _)| !name.starts_with(PRELUDE)).map(|(_, text)| &**text);
        let own: Vec<&str> = own.collect();
        // All manifests are read only if the user's files name a crate.
        let known = self.names_of_own_crates();
        if !own.iter().any(|text| known.iter().any(|name| text.contains(&**name))) {
            return;
        }
        let Some(graph) = self.graph() else { return };
        let (mut pending, mut seen) = (Vec::new(), HashSet::from([package]));
        own.iter().for_each(|text| follow(graph, package, text, &mut seen, &mut pending));
        while let Some(package) = pending.pop() {
            let Some(folder) = graph.packages[package].lib.parent() else { continue };
            let read = visit_files(folder, &mut |text| {
                follow(graph, package, text, &mut seen, &mut pending);
                see(text)
            });
            if read.is_break() {
                return;
            }
        }
    }
}

/// Adds the dependencies of a package that a text of it names to those that are read.
fn follow(graph: &Graph, package: usize, text: &str, seen: &mut HashSet<usize>, pending: &mut Vec<usize>) {
    let Some(package) = graph.packages.get(package) else { return };
    for (name, &index) in &package.deps {
        let Some(dep) = graph.packages.get(index).filter(|_| !seen.contains(&index)) else { continue };
        if !text.contains(&**name) {
            continue;
        }
        seen.insert(index);
        if !dep.is_proc_macro() && !is_replaced(dep.ident()) && provided(dep.ident()).is_none() {
            pending.push(index);
        }
    }
}

/// Calls `see` with the text of each source file in a folder; what cannot be read cannot be lowered either.
fn visit_files(folder: &Path, see: &mut Visitor<'_>) -> ControlFlow<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return ControlFlow::Continue(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            visit_files(&path, see)?;
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            see(&text)?;
        }
    }
    ControlFlow::Continue(())
}
