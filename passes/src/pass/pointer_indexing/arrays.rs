//! The arrays in cells whose pointers may be replaced: what is derived from each cell, and how it is used.

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, Inst, InstKind, Operand, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::lifetime::{Access, is_used_after_end};

/// A pointer into an array.
pub(super) struct Pointer {
    pub(super) var: Var,
    pub(super) block: Block,
    /// The reference to the whole array.
    pub(super) array: Var,
    /// The number of elements by which it is moved, or, for a range, the number of its elements.
    pub(super) by: Option<Operand>,
    pub(super) is_range: bool,
}

/// An array in a cell.
pub(super) struct ArrayInCell {
    /// The array that the cell is created with.
    pub(super) content: Var,
    pub(super) pointers: Vec<Pointer>,
    /// What is read of the whole cell.
    loads: Vec<Var>,
    defined_in: Block,
    is_read_only: bool,
    /// Whether an array of this cell may get another length or allocation, or a reference to it escapes.
    is_lost: bool,
    accesses: Vec<Access>,
    ends: Vec<Access>,
}

/// How a variable is derived from a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Derived {
    /// A reference to the whole array.
    Whole,
    /// A pointer to its first element.
    First(Var),
    /// A reference to an element or a part of it, or a pointer that was moved.
    Part,
}

/// All arrays in cells.
pub(super) struct Arrays {
    all: Vec<(Var, ArrayInCell)>,
    pub(super) defs: Defs,
    accessed: HashSet<Var>,
}

/// Whether an operation makes a reference of another one: to the same place, or to a part of it.
pub(super) fn whole_or_part(op: &OpDef) -> bool {
    is_whole(op) || [&ops::REF_ELEM, &ops::REF_SLICE, &ops::REF_FIELD, &ops::REF_PAYLOAD].contains(&op)
}

fn is_whole(op: &OpDef) -> bool {
    [&ops::REF_RAW, &ops::REF_VARIABLE, &ops::REF_REBORROW, &ops::REF_UNALIGNED].contains(&op)
}

impl Arrays {
    pub(super) fn of(editor: &mut FuncEditor<'_>) -> Arrays {
        let mut found = Arrays { all: Vec::new(), defs: Defs::of(&editor.func), accessed: HashSet::new() };
        let mut derived: HashMap<Var, (usize, Derived)> = HashMap::new();
        let analyses = editor.cfg_analyses();
        // In reverse postorder, the definitions of references precede their uses.
        for &block in analyses.cfg.reverse_postorder() {
            let body = editor.func.block(block);
            for (at, inst) in body.insts.iter().enumerate() {
                found.note(editor, &mut derived, block, at, inst);
            }
            for operand in body.terminator.iter().flat_map(|end| end.kind.operands()) {
                found.lose(&derived, operand);
            }
        }
        found.all.retain(|(cell, array)| {
            let (ends, accesses) = (&array.ends, &array.accesses);
            !array.pointers.is_empty()
                && !array.is_lost
                && !is_used_after_end(&analyses.cfg, (*cell, array.defined_in), ends, accesses)
        });
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ArrayInCell> {
        self.all.iter().map(|(_, array)| array)
    }

    /// The arrays that are read from cells, each with the one of the same length that its cell is created with.
    pub(super) fn loads(&self) -> impl Iterator<Item = (Var, Var)> {
        self.iter().flat_map(|array| array.loads.iter().map(|load| (*load, array.content)))
    }

    /// Whether something is read or written through a pointer itself.
    pub(super) fn is_accessed(&self, pointer: Var) -> bool {
        self.accessed.contains(&pointer)
    }

    fn note(
        &mut self,
        editor: &FuncEditor<'_>,
        derived: &mut HashMap<Var, (usize, Derived)>,
        block: Block,
        at: usize,
        inst: &Inst,
    ) {
        let InstKind::Op { op, args } = &inst.kind else {
            return inst.kind.operands().for_each(|operand| self.lose(derived, operand));
        };
        if **op == ops::CELL || **op == ops::REF_SHARED {
            self.lose(derived, &args[0]);
            if let Some(content) = args[0].var().filter(|var| is_vector(editor, *var)) {
                derived.insert(inst.result, (self.all.len(), Derived::Whole));
                self.all.push((inst.result, ArrayInCell::new(content, block, **op == ops::REF_SHARED)));
            }
            return;
        }
        args.iter().skip(1).for_each(|operand| self.lose(derived, operand));
        let Some((source, (index, how))) =
            args.first().and_then(Operand::var).and_then(|var| Some((var, *derived.get(&var)?)))
        else {
            return;
        };
        let cell = self.all[index].0;
        let array = &mut self.all[index].1;
        let pointer = |array: Var, is_range: bool| Pointer {
            var: inst.result,
            block,
            array,
            by: args.get(1).cloned(),
            is_range,
        };
        let next = match how {
            Derived::Whole if is_whole(op) => Derived::Whole,
            Derived::Whole if **op == ops::REF_FIRST => {
                array.pointers.push(pointer(source, false));
                Derived::First(source)
            }
            Derived::First(whole) if **op == ops::REF_OFFSET || **op == ops::REF_RANGE => {
                array.pointers.push(pointer(whole, **op == ops::REF_RANGE));
                Derived::Part
            }
            Derived::First(_) if whole_or_part(op) => {
                self.accessed.insert(source);
                Derived::Part
            }
            Derived::Whole | Derived::Part if whole_or_part(op) => Derived::Part,
            _ => return self.note_access(op, inst.result, (source, how), (index, cell), (block, at)),
        };
        derived.insert(inst.result, (index, next));
    }

    /// Notes an operation that is no step from one reference to another.
    fn note_access(
        &mut self,
        op: &OpDef,
        result: Var,
        (source, how): (Var, Derived),
        (index, cell): (usize, Var),
        (block, at): (Block, usize),
    ) {
        let array = &mut self.all[index].1;
        let is_whole = how == Derived::Whole;
        if *op == ops::REF_END || *op == ops::REF_TAKE && is_whole && source == cell {
            array.ends.push((cell, block, at));
            return;
        }
        array.accesses.push((cell, block, at));
        if *op == ops::REF_GET && is_whole {
            array.loads.push(result);
        }
        let is_read = *op == ops::REF_GET || *op == ops::REF_LEN;
        let is_write = *op == ops::REF_SET && !is_whole && !array.is_read_only;
        array.is_lost |= !is_read && !is_write;
        self.accessed.insert(source);
    }

    /// Notes that an operand is used in a way that is not followed.
    fn lose(&mut self, derived: &HashMap<Var, (usize, Derived)>, operand: &Operand) {
        if let Some((index, _)) = operand.var().and_then(|var| derived.get(&var)) {
            self.all[*index].1.is_lost = true;
        }
    }
}

impl ArrayInCell {
    fn new(content: Var, defined_in: Block, is_read_only: bool) -> ArrayInCell {
        ArrayInCell {
            content,
            pointers: Vec::new(),
            loads: Vec::new(),
            defined_in,
            is_read_only,
            is_lost: false,
            accesses: Vec::new(),
            ends: Vec::new(),
        }
    }
}

fn is_vector(editor: &FuncEditor<'_>, var: Var) -> bool {
    editor.func.ty(var).as_array().is_some_and(|array| array.rank == 1)
}
