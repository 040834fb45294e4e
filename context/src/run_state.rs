//! State that the caller of a run lends to the operations of its plugin: a tape, a report. They find it by its type.
//!
//! An operation receives its operands and the executor that runs it, but no data of its plugin. What a run creates for
//! itself is in the run's cells ([`crate::ops::Globals`]); what its caller wants to have back afterwards is here, in
//! scopes around runs, so that plugins need no thread locals of their own:
//!
//! - RUNSTATE1 [`with`] makes a value the state of its type on this thread until its closure returns or panics; scopes
//!   nest, and the innermost value is the state. Interpreter and machine code run on the thread that called them, so
//!   the operations of a run see the state of its caller.
//! - RUNSTATE2 while [`access`] lends a state, another access to the same type finds none, unless it is in an inner
//!   scope with a state of its own: re-entry neither panics nor reaches the state of an outer scope.

use std::any::{Any, TypeId};
use std::cell::RefCell;

/// One scope: the type of its state, and the state, unless it is lent (RUNSTATE2).
struct Scope {
    ty: TypeId,
    state: Option<Box<dyn Any>>,
}

thread_local! {
    static SCOPES: RefCell<Vec<Scope>> = const { RefCell::new(Vec::new()) };
}

/// Runs `f` with a state of type `T`, and returns the state and the result of `f`.
///
/// ```
/// use overdub_context::run_state;
/// struct Log(Vec<u32>);
/// let note = |number| run_state::access(|log: &mut Log| log.0.push(number));
/// let (log, _) = run_state::with(Log(Vec::new()), || (note(1), note(2)));
/// assert_eq!(log.0, [1, 2]);
/// assert_eq!(note(3), None);
/// ```
pub fn with<T: 'static, R>(state: T, f: impl FnOnce() -> R) -> (T, R) {
    /// Ends the scope, also on unwinding.
    struct End(usize);

    impl Drop for End {
        fn drop(&mut self) {
            // The states are dropped after the borrow: their destructors may use this module.
            let ended = SCOPES.with_borrow_mut(|scopes| scopes.split_off(self.0.min(scopes.len())));
            drop(ended);
        }
    }

    let depth = SCOPES.with_borrow_mut(|scopes| {
        scopes.push(Scope { ty: TypeId::of::<T>(), state: Some(Box::new(state)) });
        scopes.len() - 1
    });
    let end = End(depth);
    let result = f();
    let state = SCOPES.with_borrow_mut(|scopes| scopes.get_mut(depth).and_then(|scope| scope.state.take()));
    drop(end);
    let state = state.and_then(|state| state.downcast::<T>().ok());
    (*state.expect("RUNSTATE1, RUNSTATE2: loans made in the scope have ended with it"), result)
}

/// Calls `f` with the state of type `T` of the innermost scope; `None` if there is none (RUNSTATE2).
pub fn access<T: 'static, R>(f: impl FnOnce(&mut T) -> R) -> Option<R> {
    /// Returns the state to its scope, also on unwinding.
    struct Loan {
        depth: usize,
        state: Option<Box<dyn Any>>,
    }

    impl Drop for Loan {
        fn drop(&mut self) {
            SCOPES.with_borrow_mut(|scopes| {
                if let Some(scope) = scopes.get_mut(self.depth) {
                    scope.state = self.state.take();
                }
            });
        }
    }

    let (depth, state) = SCOPES.with_borrow_mut(|scopes| {
        let depth = scopes.iter().rposition(|scope| scope.ty == TypeId::of::<T>())?;
        Some((depth, scopes.get_mut(depth)?.state.take()?))
    })?;
    let mut loan = Loan { depth, state: Some(state) };
    loan.state.as_mut().and_then(|state| state.downcast_mut::<T>()).map(f)
}

#[cfg(test)]
mod tests {
    use super::{access, with};

    #[derive(PartialEq, Debug)]
    struct Total(u32);

    #[test]
    fn scopes_nest() {
        let (outer, (inner, _)) = with(Total(1), || {
            let inner = with(Total(10), || access(|total: &mut Total| total.0 += 1));
            access(|total: &mut Total| total.0 += 1);
            inner
        });
        assert_eq!((outer, inner), (Total(2), Total(11)));
    }

    #[test]
    fn a_lent_state_is_not_lent_again() {
        let (_, lent) = with(Total(1), || access(|_: &mut Total| access(|_: &mut Total| ())));
        assert_eq!(lent, Some(None));
    }

    #[test]
    fn a_scope_inside_a_loan_has_its_own_state() {
        let (outer, inner) = with(Total(1), || {
            access(|outer: &mut Total| {
                outer.0 += 1;
                with(Total(10), || access(|inner: &mut Total| inner.0)).1
            })
        });
        assert_eq!((outer, inner), (Total(2), Some(Some(10))));
    }

    #[test]
    fn a_panic_ends_loan_and_scope() {
        let panicked =
            std::panic::catch_unwind(|| with(Total(1), || access(|_: &mut Total| panic!("in a loan"))));
        assert!(panicked.is_err());
        assert_eq!(access(|total: &mut Total| total.0), None);
    }
}
