//! The layouts of the standard library's types, whose fields are others than those of their meaning here.

use super::super::session::Lowering;
use super::compose::{Layout, Niche, of_enum, of_struct};
use super::pointer;
use crate::hir::{DefId, Repr};
use crate::infer;

/// What is known of the layout of a type.
pub(super) enum Known {
    /// It is that of its fields.
    ByFields,
    Layout(Layout),
    No,
}

/// A vector or string: a capacity of at most `isize::MAX`, a pointer and a length.
pub(super) fn vector() -> Layout {
    of_fields(&[Layout::scalar(8, 1 << 63), Layout::scalar(8, 1), Layout::scalar(8, 0)])
}

/// The layout of a type whose first type argument is `to`; `arg` finds the layout of an argument, which may be large or
/// recursive, and lie behind a pointer only.
pub(super) fn layout(
    lowering: &Lowering,
    def: DefId,
    to: Option<infer::Ty>,
    arg: &dyn Fn(usize) -> Option<Layout>,
) -> Known {
    let program = &lowering.program;
    if !program.is_of_prelude(def) {
        return Known::ByFields;
    }
    let path = program.path(def);
    let word = Layout::scalar(8, 0);
    let cell = |at: usize| arg(at).map(Layout::without_niche);
    let fields = |fields: &[Option<Layout>]| fields.iter().copied().collect::<Option<Vec<_>>>();
    let (module, name) = path.rsplit_once("::").unwrap_or(("", &path));
    let is_in = |part: &str| module.split("::").any(|segment| segment == part);
    let layout = match name {
        "Range" | "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeToInclusive" | "RangeFull"
        | "Wrapping" | "Saturating" | "Reverse" | "Pin" | "Atomic" | "Cow" | "Bound" | "ControlFlow"
        | "Poll" | "Option" | "Result" | "Infallible" | "PhantomPinned" | "BuildHasherDefault"
        | "FpCategory" | "PoisonError" => return Known::ByFields,
        "NonZero" => {
            arg(0).map(|of| Layout { niche: Some(Niche { offset: 0, size: of.size, available: 1 }), ..of })
        }
        "NonNull" | "Weak" => to.map(|to| pointer(to, 1)),
        "Ref" | "RefMut" if is_in("cell") => to.map(|to| of_fields(&[pointer(to, 1), Layout::scalar(8, 1)])),
        "RefCell" => fields(&[Some(word), cell(0)]).map(|fields| of_fields(&fields)),
        "OnceCell" => {
            arg(0).map(|of| of_enum(&[(vec![], 0), (vec![of], 1)], Repr::default()).without_niche())
        }
        "OnceLock" => fields(&[Some(Layout::scalar(4, 0)), cell(0)]).map(|fields| of_fields(&fields)),
        "Mutex" => {
            let parts = [Some(Layout::scalar(4, 0)), Some(Layout::scalar(1, 0)), cell(0)];
            fields(&parts).map(|fields| of_fields(&fields))
        }
        "RwLock" => {
            let state = Some(Layout::scalar(4, 0));
            let parts = [state, state, Some(Layout::scalar(1, 0)), cell(0)];
            fields(&parts).map(|fields| of_fields(&fields))
        }
        "Duration" | "Instant" | "SystemTime" => {
            let nanos = Layout::scalar(4, (1 << 32) - 1_000_000_000);
            Some(of_fields(&[word, nanos]))
        }
        "VecDeque" => Some(of_fields(&[Layout::scalar(8, 1 << 63), Layout::scalar(8, 1), word, word])),
        "BinaryHeap" => Some(vector()),
        "BTreeMap" | "BTreeSet" | "LinkedList" => Some(of_fields(&[word; 3])),
        "HashMap" => hashed(arg(2)),
        "HashSet" => hashed(arg(1)),
        "RandomState" | "TypeId" => Some(of_fields(&[word; 2])),
        "Iter" | "IterMut" if is_in("slice") => Some(of_fields(&[Layout::scalar(8, 1), word])),
        "IntoIter" if is_in("vec") => {
            Some(of_fields(&[Layout::scalar(8, 1), Layout::scalar(8, 1), word, word]))
        }
        "Ipv4Addr" => Layout::scalar(1, 0).repeated(4),
        "Chars" | "Bytes" if is_in("str") => Some(of_fields(&[Layout::scalar(8, 1), word])),
        _ => None,
    };
    layout.map_or(Known::No, Known::Layout)
}

/// A hash table and its hasher.
fn hashed(hasher: Option<Layout>) -> Option<Layout> {
    let hasher = hasher?;
    let word = Layout::scalar(8, 0);
    Some(of_fields(&[of_fields(&[Layout::scalar(8, 1), word, word, word]), hasher]))
}

fn of_fields(fields: &[Layout]) -> Layout {
    of_struct(fields, Repr::default())
}
