//! Constants: the functions that they contain, and lists that are read where they are.

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::ir::{Const, Operand, Var};
use overdub_context::ops;
use overdub_context::value::{Code, Value};

use crate::body::{Body, Node, NodeKind};

/// The functions that a constant contains.
pub(crate) fn functions_in(value: &Value<'_>, visit: &mut dyn FnMut(Symbol)) {
    match value {
        Value::Closure(closure) => {
            if let Code::Func(code) = closure.code {
                visit(code);
            }
        }
        Value::Composite(composite) => {
            composite.parts.iter().for_each(|part| functions_in(part, visit));
        }
        Value::Array(array) if !array.elem_ty().is_number() => {
            array.iter().for_each(|elem| functions_in(&elem, visit));
        }
        _ => {}
    }
}

/// Makes constant lists of scalars, of which only elements are read, operands of what reads them, so that no call copies
/// them. `owns` tells whether a function wants the argument of a number as a value of its own.
pub(crate) fn read_in_place(body: &mut Body, owns: &dyn Fn(Symbol, usize) -> bool) {
    let mut lists: HashMap<Var, Const> = HashMap::new();
    for node in body.blocks.iter().flat_map(|block| &block.nodes) {
        if let (NodeKind::Const(constant), Some(var)) = (&node.kind, node.result())
            && is_list(constant.value())
        {
            lists.insert(var, constant.clone());
        }
    }
    let only_reads = |node: &Node, number: usize| match node.kind {
        NodeKind::Op(op) => number == 0 && [&ops::GET, &ops::GET_UNCHECKED].contains(&op),
        NodeKind::Call(name) => !owns(name, number),
        NodeKind::CallValue | NodeKind::Const(_) => false,
    };
    let mut kept: HashSet<Var> = HashSet::new();
    for block in &body.blocks {
        for node in &block.nodes {
            let args = node.args.iter().enumerate().filter(|(number, _)| !only_reads(node, *number));
            kept.extend(args.filter_map(|(_, arg)| arg.var()));
        }
        kept.extend(block.terminator.kind.operands().filter_map(Operand::var));
    }
    lists.retain(|var, _| !kept.contains(var));
    for block in &mut body.blocks {
        block.nodes.retain(|node| node.result().is_none_or(|var| !lists.contains_key(&var)));
        for arg in block.nodes.iter_mut().flat_map(|node| &mut node.args) {
            if let Some(constant) = arg.var().and_then(|var| lists.get(&var)) {
                *arg = Operand::Const(constant.clone());
            }
        }
    }
}

/// Whether a constant is a list of scalars that has elements.
fn is_list(value: &Value<'_>) -> bool {
    matches!(value, Value::Array(array)
        if array.shape().len() == 1 && !array.is_empty() && array.elem_ty().is_number())
}
