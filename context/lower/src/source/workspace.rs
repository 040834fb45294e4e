//! The workspaces that packages inherit from.
//!
//! - WORKSPACE1 a manifest is parsed once, however many packages and entries inherit from it.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use hashbrown::HashMap;

use super::toml_tree::{self, Table, Value};

/// A workspace.
#[derive(Debug)]
pub(super) struct Workspace {
    /// The folder of its manifest.
    pub(super) folder: PathBuf,
    /// Its table `[workspace]`.
    pub(super) table: Table,
}

/// The workspaces found so far, by the folders of manifests.
#[derive(Debug, Default)]
pub(super) struct Workspaces {
    known: RefCell<HashMap<PathBuf, Option<Rc<Workspace>>>>,
}

impl Workspaces {
    /// The workspace of a package in a folder.
    pub(super) fn of(&self, folder: &Path) -> Option<Rc<Workspace>> {
        folder.ancestors().find_map(|folder| {
            let mut known = self.known.borrow_mut();
            known.entry_ref(folder).or_insert_with(|| in_folder(folder).map(Rc::new)).clone()
        })
    }
}

/// The workspace whose manifest is in a folder.
fn in_folder(folder: &Path) -> Option<Workspace> {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let mut manifest = toml_tree::parse(&text).ok()?;
    match manifest.remove("workspace")? {
        Value::Table(table) => Some(Workspace { folder: folder.to_owned(), table }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_workspace_share_what_was_parsed() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let workspaces = Workspaces::default();
        let found = workspaces.of(package).expect("this crate is in a workspace");
        assert!(found.table.contains_key("dependencies"));
        let again = workspaces.of(&package.join("../macros")).expect("so is its neighbour");
        assert!(Rc::ptr_eq(&found, &workspaces.of(package).expect("it still is")));
        assert_eq!(again.folder.canonicalize().ok(), found.folder.canonicalize().ok());
    }
}
