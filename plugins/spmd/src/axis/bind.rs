//! Axes that are bound: the ranks that collectives of a run communicate with.

use std::rc::Rc;
use std::sync::Arc;

use overdub_context::{Failure, FailureKind, run_state};

use super::communicator::Communicator;

/// The bound axes of the current run, the innermost last.
#[derive(Clone, Default)]
struct Axes(Vec<(Arc<str>, Binding)>);

#[derive(Clone)]
enum Binding {
    Ranks(Rc<dyn Communicator>),
    /// Elements of a mapped call run in no fixed order, so ranks would wait for different ones.
    Mapped,
}

/// Binds an axis to ranks while `f` runs: collectives on it exchange data with those.
///
/// Functions that use them run under the context [`OnAxis`](crate::OnAxis). See [`psum`](crate::psum).
pub fn bind<C, R>(axis: &str, ranks: &C, f: impl FnOnce() -> R) -> R
where
    C: Communicator + Clone + 'static,
{
    let mut axes = current();
    axes.0.push((axis.into(), Binding::Ranks(Rc::new(ranks.clone()))));
    run_state::with(axes, f).1
}

/// Runs elements of a mapped call with these axes of the caller.
pub(crate) fn in_mapped_call<R>(axes: &MappedAxes, f: impl FnOnce() -> R) -> R {
    if axes.0.is_empty() {
        return f();
    }
    let mapped = axes.0.iter().map(|name| (name.clone(), Binding::Mapped));
    run_state::with(Axes(mapped.collect()), f).1
}

/// The names of the caller's axes, on which elements of a mapped call do not communicate.
pub(crate) struct MappedAxes(Vec<Arc<str>>);

impl MappedAxes {
    pub(crate) fn current() -> MappedAxes {
        MappedAxes(current().0.into_iter().map(|(name, _)| name).collect())
    }
}

fn current() -> Axes {
    run_state::access(|axes: &mut Axes| axes.clone()).unwrap_or_default()
}

/// The ranks of an axis; none if it is not bound.
pub(super) fn bound(axis: &str) -> Result<Option<Rc<dyn Communicator>>, Failure> {
    let found = run_state::access(|Axes(axes): &mut Axes| {
        axes.iter().rev().find(|(name, _)| **name == *axis).map(|(_, binding)| binding.clone())
    });
    match found.flatten() {
        None => Ok(None),
        Some(Binding::Ranks(ranks)) => Ok(Some(ranks)),
        Some(Binding::Mapped) => Err(Failure::new(
            FailureKind::Host,
            format!(
                "the elements of a mapped call run in no fixed order, and cannot communicate on axis `{axis}`"
            ),
        )),
    }
}
