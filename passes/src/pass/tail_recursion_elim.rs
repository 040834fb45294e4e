//! Tail recursion elimination: a self-recursive tail call becomes a loop.
//!
//! ```text
//! fn @gcd(%a: i64, %b: i64) -> i64 {             fn @gcd(%a: i64, %b: i64) -> i64 {
//!   %z: bool = eq %b, 0                            br ^1(%a, %b)
//!   br_if %z, ^done, ^more                       ^1(%2: i64, %3: i64):
//! ^more:                                           %z: bool = eq %3, 0
//!   %r: i64 = rem %a, %b                   →       br_if %z, ^done, ^more
//!   %g: i64 = call @gcd(%b, %r)                  ^more:
//!   ret %g                                         %r: i64 = rem %2, %3
//! ^done:                                           br ^1(%3, %r)
//!   ret %a                                       ^done:
//! }                                                ret %2
//!                                                }
//! ```
//!
//! - TAIL1 the call stack no longer grows: a recursion that exceeded the limit of open calls now completes.

use overdub_context::ir::{Block, BlockBody, Callee, InstKind, Operand, TerminatorKind, Var};

use crate::support::scope::Scope;
use overdub_context::edit::{FuncEditor, br};

/// Turns tail calls of the function to itself into branches to a new loop header.
pub(crate) fn run(editor: &mut FuncEditor<'_>, scope: &Scope<'_>) -> bool {
    let calls: Vec<Block> =
        editor.blocks().into_iter().filter(|&block| ends_in_tail_call(editor, scope, block)).collect();
    if calls.is_empty() {
        return false;
    }
    let header = editor.new_block(None);
    let params = editor.func.params().to_vec();
    let fresh: Vec<Var> = params.iter().map(|&param| editor.new_var(editor.func.ty(param))).collect();
    let span = editor.func.span;
    for (&param, &new) in params.iter().zip(&fresh) {
        editor.replace(param, new.into());
    }
    editor.apply_replacements();
    let args = params.iter().copied().map(Operand::Var).collect();
    let entry = BlockBody {
        name: editor.func.block(Block::ENTRY).name,
        params,
        insts: Vec::new(),
        terminator: Some(br(header, args, span)),
    };
    let old = std::mem::replace(editor.body(Block::ENTRY), entry);
    *editor.body(header) = BlockBody { name: None, params: fresh, ..old };
    for block in calls {
        // The former entry block is now the header.
        let block = if block == Block::ENTRY { header } else { block };
        let Some(call) = editor.body(block).insts.pop() else { continue };
        if let InstKind::Call { args, .. } = call.kind {
            *editor.terminator_mut(block) = br(header, args, call.span);
        }
    }
    true
}

/// Whether a block ends in a tail call of the function to itself, directly or through an empty block that returns.
fn ends_in_tail_call(editor: &FuncEditor<'_>, scope: &Scope<'_>, block: Block) -> bool {
    let body = editor.func.block(block);
    let Some(call) = body.insts.last() else { return false };
    let InstKind::Call { callee: Callee::Func(name), args } = &call.kind else { return false };
    if *name != editor.func.name
        || scope.keeps(&editor.func, call)
        || !editor.tys(args).into_iter().eq(editor.func.param_tys())
    {
        return false;
    }
    let returned = |operand: &Operand| operand.var() == Some(call.result);
    match &editor.terminator(block).kind {
        TerminatorKind::Ret(value) => returned(value),
        TerminatorKind::Br(target) => {
            let next = editor.func.block(target.block);
            let end = next.terminator.as_ref().map(|end| &end.kind);
            let Some(TerminatorKind::Ret(Operand::Var(value))) = end else { return false };
            let forwarded = next.params.iter().position(|param| param == value).map(|at| &target.args[at]);
            next.insts.is_empty() && forwarded.is_some_and(returned)
        }
        TerminatorKind::BrIf { .. } | TerminatorKind::Switch { .. } | TerminatorKind::Fail(_) => false,
    }
}
