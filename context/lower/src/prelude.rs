//! The text of the prelude, split into items by the build script.

use std::borrow::Cow;

use crate::source::PRELUDE;
use crate::source::SourceFile;
use crate::source::item_tree::{ImplHeader, SelfTyShape};
use crate::source::item_tree::{ItemNode, ItemSpans, Items, NodeKind};

/// A file of the prelude.
pub(crate) struct File {
    /// Its path relative to `prelude/`.
    path: &'static str,
    pub(crate) text: &'static str,
    /// The items of the file and of each module in it.
    blocks: &'static [Block],
}

/// The items from a position to the end of the file or of a module.
struct Block {
    lo: u32,
    items: &'static [ItemSpans],
    inner: &'static [(u32, u32)],
}

/// All files, sorted by path.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/prelude.rs"));

/// An item, in the form that the build script writes.
const fn item(
    kind: NodeKind,
    name: (u32, u32),
    attrs: &'static [(u32, u32)],
    public: bool,
    (lo, hi): (u32, u32),
    body: Option<(u32, u32)>,
    impl_header: Option<ImplHeader>,
) -> ItemSpans {
    ItemSpans { kind, name, attrs: Cow::Borrowed(attrs), public, lo, hi, body, impl_header }
}

/// The file with this path.
pub(crate) fn file(path: &str) -> Option<&'static File> {
    FILES.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| &FILES[at])
}

/// The items that begin at `lo`, in a file of the prelude or in a module of it, and the inner attributes
/// there.
pub(crate) fn scanned(source: &SourceFile, lo: usize) -> Option<Items> {
    let file = file(source.name.strip_prefix(PRELUDE)?)?;
    let block = &file.blocks[file.blocks.binary_search_by_key(&lo, |block| block.lo as usize).ok()?];
    let items = block.items.iter().map(|item| ItemNode::of(file.text, item.clone()));
    Some((items.collect(), block.inner.to_vec()))
}

#[cfg(test)]
mod tests {
    use crate::Program;
    use crate::hir::{DefId, DefKind};

    #[test]
    fn every_item_of_the_prelude_resolves() {
        let program = Program::from_source("empty.rs", "").expect("an empty text loads");
        for replaced in [
            "anyhow",
            "arrayvec",
            "dyn_stack",
            "equator",
            "gemm",
            "hashbrown",
            "hexf",
            "matrixmultiply",
            "memchr",
            "ndarray",
            "num_cpus",
            "once_cell",
            "paste",
            "proc_macro",
            "rayon",
            "smallvec",
            "trait_set",
            "zerocopy",
        ] {
            assert!(program.extern_crate(0, overdub_context::Symbol::new(replaced)).is_some());
        }
        program.expand_all_impls();
        let mut faults: Vec<String> =
            program.crate_faults().iter().map(|fault| format!("{}: {fault}", fault.span)).collect();
        let mut at = 0;
        while at < program.count() {
            let def = DefId(at as u32);
            let head = program.head(def);
            let result = match head.kind {
                DefKind::Fn | DefKind::AssocFn => program.fn_sig(def).and(program.body(def).map(drop)),
                DefKind::Const | DefKind::Static | DefKind::AssocConst => {
                    program.const_type(def).and(program.body(def).map(drop))
                }
                DefKind::Struct | DefKind::Enum => program.adt(def).map(drop),
                DefKind::Trait => program.trait_(def).map(drop),
                DefKind::Impl => program.impl_(def).map(drop),
                DefKind::TypeAlias | DefKind::AssocType => program.assoc_type(def).map(drop),
                DefKind::Mod | DefKind::Macro | DefKind::Variant => Ok(()),
            };
            if let Err(fault) = result {
                faults.push(format!("{} {}: {fault}", program.path(def), fault.span));
            }
            at += 1;
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        // Looking for a macro reads the manifests of all dependencies.
        assert!(!program.derives.is_any(), "an attribute or a derive of the prelude is taken for a macro");
    }
}
