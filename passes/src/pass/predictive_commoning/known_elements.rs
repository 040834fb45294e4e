//! Elements of arrays of one constant that no store can have changed yet are that constant.
//!
//! ```text
//! let mut dx = vec![0.0; n];
//! for i in 0..n {
//!     dx[i] = dx[i] + a(i);
//!     dx[i + 1] = dx[i + 1] + b(i);    →    dx[i + 1] = 0.0 + b(i);
//! }
//! ```

use hashbrown::HashMap;
use overdub_context::ir::{Func, InstKind, Operand, Var};
use overdub_context::ops;

use super::updated_array::{Finder, UpdatedArray};
use super::{analysed, replace};

/// The function with such loads replaced, if there are any.
pub(super) fn with_known_elements(func: &Func) -> Option<Func> {
    let replaced: HashMap<Var, Operand> = analysed(func, |finder| {
        let arrays = finder.all().filter_map(|of| Some((known_element(&finder, &of.first_array)?, of)));
        arrays
            .flat_map(|(constant, of)| {
                untouched(&finder, &of).into_iter().map(move |load| (load, constant.clone()))
            })
            .collect()
    });
    if replaced.is_empty() {
        return None;
    }
    let mut func = func.clone();
    replace(&mut func, &replaced);
    Some(func)
}

/// The constant that all elements of an array are.
pub(super) fn known_element(finder: &Finder<'_>, array: &Operand) -> Option<Operand> {
    match finder.defs.inst(finder.func, array)? {
        InstKind::Op { op, args } if *op == &ops::REPEAT => {
            args.first().filter(|arg| arg.var().is_none()).cloned()
        }
        _ => None,
    }
}

/// The loads of places that neither an earlier round nor an earlier store of the same round has stored to: they are further than any
/// place of the round before.
fn untouched(finder: &Finder<'_>, of: &UpdatedArray) -> Vec<Var> {
    let offsets = || of.stores.iter().map(|store| store.offset);
    let (least, most) = (offsets().min().unwrap_or(0), offsets().max().unwrap_or(0));
    let is_further = |offset: i128| match of.step > 0 {
        true => offset > most - of.step,
        false => offset < least - of.step,
    };
    let loads = finder.loads(of).into_iter();
    loads
        .filter(|load| is_further(load.offset) && !of.is_stored_before(load))
        .map(|load| load.result)
        .collect()
}
