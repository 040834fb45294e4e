//! Axes that are bound: the ranks that collectives of a run communicate with.

use std::sync::Arc;

use overdub_context::{Failure, FailureKind, run_state};

use super::communicator::Communicator;

/// The bound axes of the current run, the innermost last.
#[derive(Clone, Default)]
struct Axes(Vec<(Arc<str>, Binding)>);

#[derive(Clone)]
enum Binding {
    Ranks(Arc<dyn Communicator>),
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
    axes.0.push((axis.into(), Binding::Ranks(Arc::new(ranks.clone()))));
    run_state::with(axes, f).1
}

/// Runs elements of a mapped call with these axes of the caller.
pub(crate) fn in_mapped_call<R>(axes: &MappedAxes, f: impl FnOnce() -> R) -> R {
    match axes.0.0.is_empty() {
        true => f(),
        false => run_state::with(axes.0.clone(), f).1,
    }
}

/// The caller's axes, as elements of a mapped call see them.
pub(crate) struct MappedAxes(Axes);

impl MappedAxes {
    pub(crate) fn current() -> MappedAxes {
        let mut axes = current();
        axes.0.iter_mut().for_each(|(_, binding)| *binding = Binding::Mapped);
        MappedAxes(axes)
    }
}

fn current() -> Axes {
    run_state::access(|axes: &mut Axes| axes.clone()).unwrap_or_default()
}

/// The ranks of an axis; none if it is not bound.
pub(super) fn bound(axis: &str) -> Result<Option<Arc<dyn Communicator>>, Failure> {
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
