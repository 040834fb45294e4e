//! `loadedSources`, `source`: the files of the program, as named by the client and by the program.

use std::path::{Path, PathBuf};

use dapts::{LoadedSourcesResponse, Source, SourceArguments, SourceResponse};
use overdub_context::{Span, Symbol};
use overdub_debugger::Session;
use serde::Deserialize;

use crate::client::Conventions;
use crate::program::{Program, Then};
use crate::refusal::Refusal;

/// The files of a program.
#[derive(Debug)]
pub(crate) struct Sources(Vec<File>);

#[derive(Debug)]
struct File {
    /// Its name in spans.
    name: Symbol,
    /// Its path; `None` for a text without a file.
    path: Option<PathBuf>,
}

/// The arguments of a request without arguments.
#[derive(Deserialize)]
pub(crate) struct Nothing {}

impl Sources {
    pub(crate) fn of(session: &Session) -> Sources {
        let file = |name: Symbol| File { name, path: Path::new(&*name).canonicalize().ok() };
        Sources(session.files().map(file).collect())
    }

    /// The description of a file for the client. A text without a file is requested by a number.
    fn described(&self, at: usize) -> Source {
        let File { name, path } = &self.0[at];
        let shown = path.as_deref().unwrap_or(Path::new(&**name));
        Source {
            name: shown.file_name().map(|name| name.to_string_lossy().into_owned()),
            path: path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            source_reference: match path {
                Some(_) => None,
                None => u32::try_from(at + 1).ok(),
            },
            ..Source::default()
        }
    }

    /// The file of a location.
    pub(crate) fn at(&self, span: Span) -> Option<Source> {
        let at = self.0.iter().position(|file| file.name == span.file)?;
        span.is_known().then(|| self.described(at))
    }

    /// The file that the client names, by its name in spans.
    pub(crate) fn find(&self, source: &Source) -> Option<Symbol> {
        if let Some(number @ 1..) = source.source_reference {
            return Some(self.0.get(number as usize - 1)?.name);
        }
        let Some(path) = &source.path else {
            let name = source.name.as_deref()?;
            let is_named =
                |file: &&File| Path::new(&*file.name).file_name().is_some_and(|file_name| file_name == name);
            return Some(self.0.iter().find(is_named)?.name);
        };
        let path = Path::new(path);
        let canonical = path.canonicalize().ok();
        let is =
            |file: &&File| Path::new(&*file.name) == path || (canonical.is_some() && file.path == canonical);
        Some(self.0.iter().find(is)?.name)
    }
}

/// The name of a source that was not found, for the user.
pub(crate) fn shown(source: &Source) -> String {
    source.path.clone().or_else(|| source.name.clone()).unwrap_or_else(|| {
        source.source_reference.map_or_else(|| "without a name".to_owned(), |number| number.to_string())
    })
}

/// `loadedSources`
pub(crate) fn loaded(
    program: &mut Program,
    _: Conventions,
    _: Nothing,
) -> Result<(LoadedSourcesResponse, Then), Refusal> {
    let sources = (0..program.sources.0.len()).map(|at| program.sources.described(at)).collect();
    Ok((LoadedSourcesResponse { sources }, Then::Nothing))
}

/// `source`: the text that was loaded, whatever is in the file by now.
pub(crate) fn text(
    program: &mut Program,
    _: Conventions,
    args: SourceArguments,
) -> Result<(SourceResponse, Then), Refusal> {
    let SourceArguments { source, source_reference } = args;
    let mut source = source.unwrap_or_default();
    if source_reference > 0 {
        source.source_reference = Some(source_reference);
    }
    let none = || Refusal::NoSource(shown(&source));
    let file = program.sources.find(&source).ok_or_else(none)?;
    let content = program.session().loaded().program().source(file).ok_or_else(none)?.to_string();
    Ok((SourceResponse { content, mime_type: Some("text/x-rust".to_owned()) }, Then::Nothing))
}
