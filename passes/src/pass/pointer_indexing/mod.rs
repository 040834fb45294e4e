//! Pointer indexing: raw pointers to elements of an array become references by index, where the index is in bounds.
//!
//! ```text
//!   %p: ref f64 = ref.first %r
//!   …                                              …
//! ^body:                                         ^body:
//!   %k: isize = cast %i                            %k: isize = cast %i
//!   %q: ref f64 = ref.offset %p, %k        →       %q: ref f64 = ref.elem %r, %i
//!   %x: f64 = ref.get %q                           %x: f64 = ref.get %q
//! ```
//!
//! After it, `mem2reg` promotes the cell, and the reads are those of a slice.
//!
//! - PTRIDX1 all pointers into the array are replaced, or none. None of them escapes, and each is proved to be
//!   within the array where it is made; so no read or write through them can fail.
//! - PTRIDX2 the array keeps its length and its allocation, since only its elements are written, and its cell is
//!   not used after its content was moved out or its life ended.
//! - PTRIDX3 a pointer that is derived from a cell is not null, and pointers into two cells do not overlap.

mod arrays;

use hashbrown::HashMap;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, InstKind, Operand, Ty, Var};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::support::array_bounds::BoundsProofs;
use crate::support::consts::{constant_of, int_of};
use crate::support::scope::Scope;
use arrays::{Arrays, Pointer, whole_or_part};

/// Replaces pointers into arrays by references to elements.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    if !editor.has_op(|op| [&ops::REF_FIRST, &ops::REF_IS_NULL, &ops::REF_OVERLAP].contains(&op)) {
        return false;
    }
    let folded = fold_questions(editor);
    folded | replace_pointers(editor)
}

/// Answers what is known of pointers by the cells that they are derived from (PTRIDX3).
fn fold_questions(editor: &mut FuncEditor<'_>) -> bool {
    let defs = Defs::of(&editor.func);
    let mut known: Vec<Var> = Vec::new();
    for inst in editor.func.blocks.iter().flat_map(|body| &body.insts) {
        let InstKind::Op { op, args } = &inst.kind else { continue };
        let cell = |pointer: &Operand| root(editor, &defs, pointer);
        let is_false = match args.as_slice() {
            [pointer] if **op == ops::REF_IS_NULL => cell(pointer).is_some(),
            [a, b, _] if **op == ops::REF_OVERLAP => match (cell(a), cell(b)) {
                (Some(a), Some(b)) => a != b,
                _ => false,
            },
            _ => false,
        };
        if is_false {
            known.push(inst.result);
        }
    }
    for &result in &known {
        let no = constant_of(Value::Bool(false)).expect("a bool is an immediate");
        editor.replace(result, no);
    }
    for body in &mut editor.func.blocks {
        body.insts.retain(|inst| !known.contains(&inst.result));
    }
    editor.apply_replacements();
    !known.is_empty()
}

/// The instruction that creates the cell that a pointer is derived from.
fn root(editor: &FuncEditor<'_>, defs: &Defs, pointer: &Operand) -> Option<Var> {
    let mut at = pointer.var()?;
    loop {
        let InstKind::Op { op, args } = defs.inst(&editor.func, &at.into())? else { return None };
        if [&ops::CELL, &ops::REF_SHARED, &ops::REF_RELOCATED, &ops::REF_ALLOC].contains(op) {
            return Some(at);
        }
        let keeps_cell = whole_or_part(op)
            || [&ops::REF_FIRST, &ops::REF_OFFSET, &ops::REF_RANGE, &ops::REF_VIEW, &ops::REF_FLAT]
                .contains(op);
        if !keeps_cell {
            return None;
        }
        at = args.first()?.var()?;
    }
}

/// What becomes of a pointer.
enum Replacement {
    /// The element of an array at an index.
    Elem(Var, Operand),
    /// The first elements of an array, as many as an operand says.
    Prefix(Var, Operand),
    /// Nothing: it is used by replaced pointers only.
    Unused,
}

fn replace_pointers(editor: &mut FuncEditor<'_>) -> bool {
    let arrays = Arrays::of(editor);
    if arrays.is_empty() {
        return false;
    }
    let proofs = BoundsProofs::with_loads(editor, arrays.loads());
    let mut replaced: HashMap<Var, Replacement> = HashMap::new();
    for array in arrays.iter() {
        let all = array.pointers.iter().map(|pointer| {
            replacement(editor, &proofs, &arrays, array.content, pointer).map(|new| (pointer.var, new))
        });
        if let Some(all) = all.collect::<Option<Vec<_>>>() {
            replaced.extend(all);
        }
    }
    if replaced.is_empty() {
        return false;
    }
    for body in &mut editor.func.blocks {
        for inst in &mut body.insts {
            let (op, args) = match replaced.get(&inst.result) {
                Some(Replacement::Elem(array, at)) => (&ops::REF_ELEM, vec![(*array).into(), at.clone()]),
                Some(Replacement::Prefix(array, to)) => {
                    (&ops::REF_SLICE, vec![(*array).into(), 0_usize.into(), to.clone()])
                }
                Some(Replacement::Unused) | None => continue,
            };
            inst.kind = InstKind::Op { op, args };
        }
        body.insts.retain(|inst| !matches!(replaced.get(&inst.result), Some(Replacement::Unused)));
    }
    true
}

/// The reference that a pointer becomes; none if it is not proved to be within the array (PTRIDX1).
fn replacement(
    editor: &FuncEditor<'_>,
    proofs: &BoundsProofs,
    arrays: &Arrays,
    content: Var,
    pointer: &Pointer,
) -> Option<Replacement> {
    let within = |block: Block, at: &Operand| {
        editor.ty(at) == Ty::usize() && proofs.in_bounds(editor, block, content, at)
    };
    match &pointer.by {
        None if !arrays.is_accessed(pointer.var) => Some(Replacement::Unused),
        None => {
            let zero = Operand::from(0_usize);
            within(pointer.block, &zero).then_some(Replacement::Elem(pointer.array, zero))
        }
        Some(by) if pointer.is_range => proofs
            .is_less(editor, pointer.block, content, by, 1)
            .then(|| Replacement::Prefix(pointer.array, by.clone())),
        Some(by) => {
            let at = unsigned(editor, arrays, by)?;
            within(pointer.block, &at).then_some(Replacement::Elem(pointer.array, at))
        }
    }
}

/// A number of elements as an index.
fn unsigned(editor: &FuncEditor<'_>, arrays: &Arrays, by: &Operand) -> Option<Operand> {
    if let Some(by) = int_of(by) {
        return usize::try_from(by).ok().map(Operand::from);
    }
    match arrays.defs.inst(&editor.func, by)? {
        InstKind::Op { op, args } if **op == ops::CAST && editor.ty(&args[0]) == Ty::usize() => {
            Some(args[0].clone())
        }
        _ => None,
    }
}
