//! The kernels of functions and of their derivatives, and what devices do with them.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_ad::flatten::{floats, with_floats};
use overdub_ad::transform::reverse::{active, all_shaped, cotangent_of};
use overdub_context::engine::Engine;
use overdub_context::ir::{Func, Ty, TyKind};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, Symbol};
use overdub_export::packed::fixed_bytes;
use overdub_export::{Derivative, Export, ExportError};
use overdub_spmd::{
    Collected, DeviceCalls, DeviceError, DeviceList, Leaves, Returned, ValueAndGradient, ValueAndTangent,
};

use crate::columns::{Args, More};
use crate::launch::{Backend, unsupported};
use crate::leaves::Leaf;
use crate::run::{Kernel, Program, Runs};
use crate::stored::{LENGTH, StoredList};

/// The number of kernels that are kept.
const KEPT: usize = 256;

/// The name of the function that a kernel calls.
const ENTRY: &str = "of_element";

/// The kernels of a device, by their text.
pub(crate) struct Kernels<B: Backend> {
    backend: Arc<B>,
    known: Mutex<HashMap<String, Arc<Program<B>>>>,
}

impl<B: Backend> Kernels<B> {
    pub(crate) fn new(backend: B) -> Kernels<B> {
        Kernels { backend: Arc::new(backend), known: Mutex::default() }
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

    pub(crate) fn sums(
        &self,
        calls: &DeviceCalls<'_>,
        leaf: usize,
    ) -> Result<Option<Leaves<f64>>, DeviceError> {
        let kernel = self.of_function(calls)?;
        let Some(place) = place_of(kernel.ret, 0) else { return Ok(None) };
        let leaves = self.runs(kernel, calls, calls.params.clone(), None)?.sums(leaf, &[place], &[])?;
        Ok(Some(leaves.into_iter().map(|leaf| leaf?.sums.first().copied()).collect()))
    }

    pub(crate) fn sums_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        collected: &[Collected],
        leaf: usize,
    ) -> Result<Option<Leaves<Vec<Value<'static>>>>, DeviceError> {
        let vector = Ty::array(Ty::f64(), 1);
        let is_added = |(how, ty): (&Collected, &Ty)| match how {
            Collected::Not => true,
            Collected::Added => *ty == Ty::f64() || *ty == vector,
            Collected::Listed => *ty == Ty::f64(),
        };
        if !collected.iter().zip(&calls.params).all(is_added) {
            return Ok(None);
        }
        let wrt: Vec<bool> = collected.iter().map(|how| *how != Collected::Not).collect();
        let export =
            derivative(calls, Derivative::ValueAndGradient, &wrt).map_err(|error| unsupported(&error))?;
        let kernel = self.kernel(&export)?;
        let TyKind::Tuple(found) = kernel.ret.kind() else { return Ok(None) };
        let first = found.first().and_then(|ty| place_of(*ty, 0));
        let (Some(first), true) = (first, export.differentiated(ENTRY) == Some(&wrt[..])) else {
            return Ok(None);
        };
        // Where the derivatives are in a packed result, which is that of all calls: the value, and each part after the other.
        let (mut added, mut listed, mut at) = (vec![first], Vec::new(), 8);
        let Some(lengths) = self.lengths(calls) else { return Ok(None) };
        for ((how, ty), len) in collected.iter().zip(&calls.params).zip(&lengths) {
            match how {
                Collected::Not => continue,
                Collected::Listed => listed.push(at),
                Collected::Added if *ty == vector => {
                    at += LENGTH as u64;
                    added.extend((0..*len as u64).map(|number| at + 8 * number));
                    at += 8 * *len as u64;
                    continue;
                }
                Collected::Added => added.push(at),
            }
            at += 8;
        }
        let leaves = self.runs(kernel, calls, calls.params.clone(), None)?.sums(leaf, &added, &listed)?;
        let of_leaf = |leaf: Leaf| {
            let (mut sums, mut lists) = (leaf.sums.into_iter(), leaf.lists.into_iter());
            let mut all = vec![Value::F64(sums.next()?)];
            for ((how, ty), len) in collected.iter().zip(&calls.params).zip(&lengths) {
                match how {
                    Collected::Not => {}
                    Collected::Listed => all.push(Value::floats(lists.next()?)),
                    Collected::Added if *ty == vector => {
                        all.push(Value::floats(sums.by_ref().take(*len).collect::<Vec<_>>()));
                    }
                    Collected::Added => all.push(Value::F64(sums.next()?)),
                }
            }
            Some(all)
        };
        Ok(Some(leaves.into_iter().map(|leaf| leaf.and_then(of_leaf)).collect()))
    }

    /// The lengths of the arguments of the first call that are lists.
    fn lengths(&self, calls: &DeviceCalls<'_>) -> Option<Vec<usize>> {
        let mut lengths = None;
        calls.unstored_args(0, &mut |args| {
            let len = |arg: &Value<'_>| match arg {
                Value::Array(array) => array.len(),
                _ => 0,
            };
            lengths = Some(args.iter().map(len).collect::<Vec<_>>());
        });
        let mut lengths = lengths?;
        for (len, list) in lengths.iter_mut().zip(&calls.stored) {
            if let Some(list) = list {
                *len = StoredList::of(list, &self.backend)?.len();
            }
        }
        Some(lengths)
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

    fn runs<'c>(
        &'c self,
        kernel: Kernel<B>,
        calls: &'c DeviceCalls<'c>,
        tys: Vec<Ty>,
        more: Option<&'c More<'c>>,
    ) -> Result<Runs<'c, B>, DeviceError> {
        let args = Args::new(&self.backend, calls, tys, more)?;
        Ok(Runs { backend: &self.backend, kernel, args, len: calls.len })
    }

    fn of_function(&self, calls: &DeviceCalls<'_>) -> Result<Kernel<B>, DeviceError> {
        self.kernel(&Export::new(calls.engine).function(calls.func, ENTRY, ""))
    }

    fn kernel(&self, export: &Export<'_>) -> Result<Kernel<B>, DeviceError> {
        let ret = export.ret(ENTRY).map_err(|error| unsupported(&error))?;
        let (text, allocates) = self.backend.text(export, ENTRY)?;
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
        Ok(Kernel { program, allocates, ret })
    }
}

/// The derivative as the function that a kernel calls.
fn derivative<'e>(
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

/// The place of a float at these bytes, as [`Sums`](crate::launch::Sums) numbers it; none if it is no float.
fn place_of(ty: Ty, at: u64) -> Option<u64> {
    match ty.kind() {
        TyKind::Float(_) => Some(at + u64::from(ty == Ty::f32())),
        _ => None,
    }
}

impl<B: Backend> fmt::Debug for Kernels<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernels").field("backend", &self.backend).finish_non_exhaustive()
    }
}
