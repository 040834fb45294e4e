//! Parsing of floats, replaced by the operation that fails where a derivative would be lost (DIGITS2).

use overdub_context::codes::INTERNAL;
use overdub_context::ir::{Edit, Func, InstKind, LoadError, Rewriter};
use overdub_context::ops;

use crate::activity::Activity;
use crate::text_provenance::PARSED;

/// Replaces the parsing of floats whose result is used by the checked operation; `None` if nothing is parsed.
pub(crate) fn reading(func: &Func) -> Result<Option<Func>, LoadError> {
    let reads = |kind: &InstKind| matches!(kind, InstKind::Op { op, args } if **op == ops::STR_PARSE_FLOAT && args[0].var().is_some());
    if !func.blocks.iter().flat_map(|block| &block.insts).any(|inst| reads(&inst.kind)) {
        return Ok(None);
    }
    let activity = Activity::returned(func);
    let edited = Rewriter::edit(func, |rewriter, inst| match &inst.kind {
        InstKind::Op { args, .. } if reads(&inst.kind) && activity.is_useful(inst.result) => {
            Ok(Edit::Replace(rewriter.op_as(&PARSED, args.clone(), func.ty(inst.result))?.into()))
        }
        _ => Ok(Edit::Keep),
    });
    edited.map(Some).map_err(|error| LoadError {
        code: INTERNAL,
        message: error.to_string(),
        span: error.span,
        help: None,
    })
}
