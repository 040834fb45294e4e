//! The kernels of functions and of their derivatives, and what devices do with them.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_ad::flatten::{floats, with_floats};
use overdub_ad::transform::reverse::{active, all_shaped, cotangent_of};
use overdub_context::engine::Engine;
use overdub_context::ir::{Func, Ty};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, Symbol};
use overdub_export::packed::fixed_bytes;
use overdub_export::{Derivative, Export, ExportError};
use overdub_spmd::{DeviceCalls, DeviceError, DeviceList, Returned, ValueAndGradient, ValueAndTangent};

use crate::columns::{Args, More};
use crate::launch::{Backend, unsupported};
use crate::run::{Kernel, Program, Runs};
use crate::stored::StoredList;

/// The number of kernels that are kept.
const KEPT: usize = 256;

/// The name of the function that a kernel calls.
pub(crate) const ENTRY: &str = "of_element";

/// The kernels of a device, by their text.
pub(crate) struct Kernels<B: Backend> {
    pub(crate) backend: Arc<B>,
    known: Mutex<HashMap<String, Arc<Program<B>>>>,
}

impl<B: Backend> Kernels<B> {
    pub(crate) fn new(backend: B) -> Kernels<B> {
        Kernels { backend: Arc::new(backend), known: Mutex::default() }
    }

    /// No kernels yet, for a device like this one.
    pub(crate) fn in_backend(&self, other: impl FnOnce(&B) -> B) -> Kernels<B> {
        Kernels::new(other(&self.backend))
    }

    pub(crate) fn values(&self, calls: &DeviceCalls<'_>) -> Result<Returned<Value<'static>>, DeviceError> {
        let kernel = self.of_function(calls)?;
        let are_floats = kernel.ret == Ty::f64();
        self.runs(kernel, calls, calls.params.clone(), None)?.all(are_floats, &|_, value| Some(value))
    }

    pub(crate) fn values_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Returned<ValueAndGradient>, DeviceError> {
        let export =
            derivative(calls, Derivative::ValueAndGradient, wrt).map_err(|error| unsupported(&error))?;
        let active = export.differentiated(ENTRY).unwrap_or_default().to_vec();
        let kernel = self.kernel(&export)?;
        // The derivatives of the others are zeros in their shape.
        let are_floats = calls.params.iter().all(|ty| *ty == Ty::f64());
        let runs = self.runs(kernel, calls, calls.params.clone(), None)?;
        let found = runs.all(are_floats, &|call, both| shaped(calls, call, both, &active))?;
        Ok(match found {
            Returned::Floats(parts) => {
                let mut parts = parts.into_iter();
                let values: Vec<f64> = parts.next().unwrap_or_default();
                let zeros = || vec![0.0; values.len()];
                let slopes = active.iter().map(|is_active| match is_active {
                    true => parts.next().unwrap_or_else(zeros),
                    false => zeros(),
                });
                let slopes: Vec<Vec<f64>> = slopes.collect();
                Returned::Floats(std::iter::once(values).chain(slopes).collect())
            }
            each => each,
        })
    }

    pub(crate) fn jvps(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Option<Returned<ValueAndTangent>>, DeviceError> {
        let Some((export, primal)) = product(calls, Derivative::Jvp, wrt) else { return Ok(None) };
        let active = active(&primal, &|at| wrt.get(at).copied().unwrap_or(false));
        let more = |call: usize, args: &[Value<'_>]| {
            let mut found = None;
            calls.directions(call, &mut |tangents| {
                let parts = args.iter().zip(&calls.params).zip(tangents).zip(&active);
                let tangents = parts.filter(|(_, is_active)| **is_active).map(|(((arg, ty), tangent), _)| {
                    let mut tangent = floats(tangent).into_iter();
                    cotangent_of(&arg.clone().into_owned(), *ty, &mut tangent)
                });
                found = tangents.collect::<Result<Vec<_>, Failure>>().ok();
            });
            found
        };
        let read = |_: usize, both: Value<'static>| {
            let [value, tangent] = <[Value<'static>; 2]>::try_from(parts(both)?).ok()?;
            let tangent = with_floats(&value, &mut floats(&tangent).into_iter()).ok()?;
            Some((value, tangent))
        };
        let (kernel, tys) = (self.kernel(&export)?, params(&export)?);
        Ok(Some(self.runs(kernel, calls, tys, Some(&more))?.all(true, &read)?))
    }

    pub(crate) fn vjps(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Option<Returned<ValueAndGradient>>, DeviceError> {
        let Some((export, primal)) = product(calls, Derivative::Vjp, wrt) else { return Ok(None) };
        // The length of a cotangent is not checked there.
        if fixed_bytes(primal.ret).is_none() {
            return Ok(None);
        }
        let active = export.differentiated(ENTRY).unwrap_or_default().to_vec();
        let more = |call: usize, _: &[Value<'_>]| {
            let mut found = None;
            calls.directions(call, &mut |given| {
                let [cotangent] = given else { return };
                let (cotangent, mut parts) = (cotangent.clone().into_owned(), floats(cotangent).into_iter());
                found = cotangent_of(&cotangent, primal.ret, &mut parts).ok().map(|all| vec![all]);
            });
            found
        };
        let (kernel, tys) = (self.kernel(&export)?, params(&export)?);
        let runs = self.runs(kernel, calls, tys, Some(&more))?;
        Ok(Some(runs.all(false, &|call, both| shaped(calls, call, both, &active))?))
    }

    pub(crate) fn store(&self, list: &Array<'_>) -> Result<DeviceList, DeviceError> {
        StoredList::send(&self.backend, list)
    }

    pub(crate) fn stored_values(&self, calls: &DeviceCalls<'_>) -> Result<Option<DeviceList>, DeviceError> {
        let kernel = self.of_function(calls)?;
        self.runs(kernel, calls, calls.params.clone(), None)?.stored()
    }

    pub(crate) fn fetch(
        &self,
        list: &DeviceList,
        range: Range<usize>,
    ) -> Result<Option<Array<'static>>, DeviceError> {
        StoredList::of(list, &self.backend).map(|list| list.fetch(range)).transpose()
    }

    pub(crate) fn runs<'c>(
        &'c self,
        kernel: Kernel<B>,
        calls: &'c DeviceCalls<'c>,
        tys: Vec<Ty>,
        more: Option<&'c More<'c>>,
    ) -> Result<Runs<'c, B>, DeviceError> {
        let args = Args::new(&self.backend, calls, tys, more)?;
        Ok(Runs { backend: &self.backend, kernel, args, len: calls.len })
    }

    pub(crate) fn of_function(&self, calls: &DeviceCalls<'_>) -> Result<Kernel<B>, DeviceError> {
        self.kernel(&Export::new(calls.engine).function(calls.func, ENTRY, ""))
    }

    pub(crate) fn kernel(&self, export: &Export<'_>) -> Result<Kernel<B>, DeviceError> {
        let ret = export.ret(ENTRY).map_err(|error| unsupported(&error))?;
        let (text, memory) = self.backend.text(export, ENTRY)?;
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&text).cloned();
        let program = match found {
            Some(program) => program,
            None => {
                let program = Arc::new(Program::new(self.backend.compile(&text)?));
                let mut known = known();
                if known.len() >= KEPT {
                    known.clear();
                }
                known.entry(text).or_insert(program).clone()
            }
        };
        Ok(Kernel { program, memory, ret })
    }
}

/// The derivative as the function that a kernel calls.
pub(crate) fn derivative<'e>(
    calls: &DeviceCalls<'e>,
    derivative: Derivative,
    wrt: &[bool],
) -> Result<Export<'e>, ExportError> {
    Export::new(calls.engine).derivative(calls.func, derivative, wrt, ENTRY, "")
}

/// A product with the Jacobian, and the function itself; none if there is no such product of floats.
fn product<'e>(calls: &DeviceCalls<'e>, of: Derivative, wrt: &[bool]) -> Option<(Export<'e>, Arc<Func>)> {
    let primal = primal(calls.engine, calls.func)?;
    Some((derivative(calls, of, wrt).ok()?, primal))
}

fn primal(engine: &Engine, func: Symbol) -> Option<Arc<Func>> {
    engine.module().func(func).ok()?
}

fn params(export: &Export<'_>) -> Result<Vec<Ty>, DeviceError> {
    let params = export.params(ENTRY).map_err(|error| unsupported(&error))?;
    Ok(params.into_iter().map(|(_, ty)| ty).collect())
}

fn parts(value: Value<'static>) -> Option<Vec<Value<'static>>> {
    let Value::Composite(all) = value else { return None };
    Some(Arc::unwrap_or_clone(all).parts.into_iter().collect())
}

/// A value and derivatives, these in the shapes of the arguments of a call.
fn shaped(
    calls: &DeviceCalls<'_>,
    call: usize,
    both: Value<'static>,
    active: &[bool],
) -> Option<ValueAndGradient> {
    let mut parts = parts(both)?.into_iter();
    let value = parts.next()?;
    let mut shaped = None;
    calls.args(call, &mut |args| {
        shaped = all_shaped(args, active, Value::tuple(parts.by_ref())).ok();
    });
    Some((value, shaped?))
}

impl<B: Backend> fmt::Debug for Kernels<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernels").field("backend", &self.backend).finish_non_exhaustive()
    }
}
