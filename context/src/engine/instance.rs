//! An instance: a context in an engine, with its type map and the calls for which it was queried.
//!
//! - INSTANCE1 contexts with equal keys are one instance; its label names the functions specialised for it:
//!   `f{Trace#0}`.
//! - INSTANCE2 the type of a function value does not reveal whether its code was specialised for a context.
//!   Where one may be passed, the code outside of the context is also specialised and accepts both:
//!   `f{out Trace#0}`.
//! - INSTANCE3 the type map depends on the type alone, so that caller and callee agree.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock};

use hashbrown::{HashMap, HashSet};

use super::func_key::{FuncKey, Mode};
use super::instance_table::InstanceLabel;
use super::runtime::{ContextRun, ErasedRun};
use super::{Body, CallSite, Called, Context, Domain, Hooks, Method, Named, NeedsHandle, Pass, PassError};
use crate::ir::{Field, Nominal, NominalBody, Ty, TyKind, VariantTy};
use crate::memo::Memo;
use crate::{Span, Symbol};

/// The decisions of a context, with its type erased.
pub(super) trait ErasedContext: Send + Sync {
    fn names(&self) -> Vec<Named>;
    fn filter(&self, func: Symbol, span: Span) -> bool;
    fn method(&self, call: &CallSite) -> Method;
    fn hooks(&self, call: &CallSite) -> Hooks;
    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError>;
    /// The number of a context of this type and key among those that programs run by name.
    fn number_of_run(&self, cx: &dyn Any) -> usize;
    /// Begins a run of the context with this number.
    fn begin(&self, number: usize) -> Option<Arc<dyn ErasedRun>>;
}

struct KeyedContext<C> {
    cx: C,
    /// The contexts of this key that programs run by name, each with its own hooks, host methods and metadata.
    runs: Mutex<Vec<C>>,
}

impl<C: Context> ErasedContext for KeyedContext<C> {
    fn names(&self) -> Vec<Named> {
        self.cx.names()
    }

    fn filter(&self, func: Symbol, span: Span) -> bool {
        self.cx.filter(func, span)
    }

    fn method(&self, call: &CallSite) -> Method {
        self.cx.method(call)
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        self.cx.hooks(call)
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        self.cx.pass(body)
    }

    fn number_of_run(&self, cx: &dyn Any) -> usize {
        // INSTANCE1: contexts with equal keys are of one type.
        let Some(cx) = cx.downcast_ref::<C>() else { return 0 };
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = runs.iter().position(|known| cx.runs_as(known)) {
            return number;
        }
        runs.push(cx.clone());
        runs.len() - 1
    }

    fn begin(&self, number: usize) -> Option<Arc<dyn ErasedRun>> {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::new(ContextRun::new(runs.get(number)?)))
    }
}

/// A call for which the context was queried, and the names of the callee inside and outside of it.
#[derive(Debug)]
pub(super) struct DispatchedCall {
    pub(super) site: CallSite,
    pub(super) inside: Symbol,
    pub(super) outside: Symbol,
}

#[derive(Default)]
struct Sites {
    dispatched: Vec<Arc<DispatchedCall>>,
    numbers: HashMap<CallSite, usize>,
}

/// The reason why a mapped nominal type could not be defined.
enum Undefined {
    /// The source type has no body.
    NoBody,
    /// Another type of this name has a different body.
    OtherBody,
}

/// The name of the type of handles.
pub(super) static HANDLE: LazyLock<Symbol> = LazyLock::new(|| Symbol::new("Context"));

pub(super) struct Instance {
    pub(super) label: Symbol,
    pub(super) needs_handle: NeedsHandle,
    pub(super) domain: Option<Arc<dyn Domain>>,
    pub(super) cx: Box<dyn ErasedContext>,
    /// Distinguishes the types of this engine from those of others.
    engine: u64,
    sites: RwLock<Sites>,
    types: Memo<Ty, Ty>,
    pub(super) numbered: InstanceLabel,
    /// The value of the engine's use counter at the last use.
    pub(super) used: AtomicU64,
    is_retained: AtomicBool,
    /// The names of the functions generated for the instance.
    generated: Mutex<HashSet<Symbol>>,
    /// Whether the names that the context refers to were found.
    pub(super) has_known_names: AtomicBool,
    /// Functions that the context changes, with the epoch at which this was found.
    changed: RwLock<HashMap<Symbol, u64>>,
}

impl Instance {
    pub(super) fn new<C: Context>(cx: &C, label: Symbol, engine: u64, numbered: InstanceLabel) -> Instance {
        Instance {
            numbered,
            used: AtomicU64::new(0),
            is_retained: AtomicBool::new(false),
            generated: Mutex::default(),
            label,
            needs_handle: cx.needs_handle(),
            domain: cx.domain(),
            cx: Box::new(KeyedContext { cx: cx.clone(), runs: Mutex::default() }),
            engine,
            sites: RwLock::default(),
            types: Memo::default(),
            has_known_names: AtomicBool::new(false),
            changed: RwLock::default(),
        }
    }

    /// Keeps the instance alive as long as the engine, since a name of a function generated for it has left
    /// the engine.
    pub(super) fn retain_forever(&self) {
        self.is_retained.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_retained_forever(&self) -> bool {
        self.is_retained.load(Ordering::Relaxed)
    }

    /// Records the name of a function generated for the instance.
    pub(super) fn record_generated(&self, name: Symbol) {
        self.generated.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
    }

    /// The names of the functions generated for the instance.
    pub(super) fn generated_funcs(&self) -> Vec<Symbol> {
        self.generated.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// The name of a function rewritten for the instance.
    pub(super) fn name(&self, func: Symbol, mode: Mode) -> Symbol {
        FuncKey::rewritten(func, self.label, mode).name()
    }

    /// The name by which a program runs a context of this key on a function.
    pub(super) fn run_name<C: Context>(&self, cx: &C, func: Symbol) -> Symbol {
        let number = if self.needs_handle == NeedsHandle::Yes { self.cx.number_of_run(cx) } else { 0 };
        self.name(func, Mode::Run(number))
    }

    /// The label by which a program begins a run of that number.
    pub(super) fn run_label(&self, number: usize) -> String {
        if number == 0 { self.label.to_string() } else { format!("{}/{number}", self.label) }
    }

    /// The name of a function under the context.
    pub(super) fn inside(&self, func: Symbol) -> Symbol {
        self.name(func, Mode::Inside)
    }

    pub(super) fn remember_changed(&self, func: Symbol, epoch: u64) {
        self.changed.write().unwrap_or_else(PoisonError::into_inner).insert(func, epoch);
    }

    /// Whether the context was found to change a function at this epoch.
    pub(super) fn is_known_changed(&self, func: Symbol, epoch: u64) -> bool {
        self.changed.read().unwrap_or_else(PoisonError::into_inner).get(&func) == Some(&epoch)
    }

    /// The type of the handle that functions of the instance pass on.
    pub(super) fn handle_ty() -> Ty {
        static TY: LazyLock<Ty> = LazyLock::new(|| Ty::opaque(*HANDLE));
        *TY
    }

    /// The number of a call; equal calls have the same number.
    pub(super) fn number(&self, site: CallSite) -> usize {
        let mut sites = self.sites.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = sites.numbers.get(&site) {
            return number;
        }
        let number = sites.dispatched.len();
        let callee = match site.callee {
            Called::Func(name) | Called::Closure(name) => name,
            Called::Op(op) => Symbol::new(op.name),
            Called::Value => Symbol::new("fn"),
        };
        let outside = match site.callee {
            Called::Func(name) if self.is_unmapped(&site) => name,
            _ => self.name(callee, Mode::Outside),
        };
        let inside = self.name(callee, Mode::Inside);
        sites.dispatched.push(Arc::new(DispatchedCall { site: site.clone(), inside, outside }));
        sites.numbers.insert(site, number);
        number
    }

    pub(super) fn dispatched_call(&self, number: usize) -> Option<Arc<DispatchedCall>> {
        self.sites.read().unwrap_or_else(PoisonError::into_inner).dispatched.get(number).cloned()
    }

    /// Whether a call outside the context calls the function itself (INSTANCE2).
    pub(super) fn is_unmapped(&self, site: &CallSite) -> bool {
        site.args.iter().chain([&site.ret]).all(|ty| self.map(*ty) == *ty && !holds_function_values(*ty))
    }

    /// Maps a type to its counterpart under the context: types of the domain replace plain ones, closures get
    /// code specialised for the context, and all other types are mapped part by part.
    pub(super) fn map(&self, ty: Ty) -> Ty {
        if let Some(known) = self.types.get(&ty) {
            return known;
        }
        let mapped = if self.changes(ty) { self.mapped(ty) } else { ty };
        self.types.insert(ty, mapped);
        mapped
    }

    fn mapped(&self, ty: Ty) -> Ty {
        if let Some(mapped) = self.domain.as_ref().and_then(|domain| domain.map(ty)) {
            return mapped;
        }
        match ty.kind() {
            TyKind::Tuple(parts) => Ty::tuple(parts.iter().map(|part| self.map(*part))),
            TyKind::Array(array) => Ty::array(self.map(array.elem), array.rank),
            TyKind::Stack(elem) => Ty::stack(self.map(*elem)),
            TyKind::Ref(target) => Ty::reference(self.map(*target)),
            TyKind::Fn(func) => {
                Ty::func(func.params.iter().map(|param| self.map(*param)), self.map(func.ret))
            }
            TyKind::Closure(closure) => {
                let handle = (self.needs_handle == NeedsHandle::Yes).then(Instance::handle_ty);
                let captures = closure.captures.iter().map(|part| self.map(*part));
                Ty::closure(self.name(closure.code, Mode::Value), handle.into_iter().chain(captures))
            }
            TyKind::Struct(nominal) => self.nominal(ty, *nominal, TyKind::Struct),
            TyKind::Enum(nominal) => self.nominal(ty, *nominal, TyKind::Enum),
            TyKind::Unit
            | TyKind::Never
            | TyKind::Bool
            | TyKind::Char
            | TyKind::Str
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Opaque(_) => ty,
        }
    }

    fn nominal(&self, ty: Ty, nominal: Nominal, kind: fn(Nominal) -> TyKind) -> Ty {
        if nominal.in_universe() == Nominal::SHARED {
            // Operations refer to these types by name.
            match (nominal.name().as_str(), nominal.args()) {
                ("Option", [elem]) => return Ty::option(self.map(*elem)),
                ("MaybeUninit", [elem]) => return Ty::maybe_uninit(self.map(*elem)),
                ("Result", [ok, err]) => return Ty::result(self.map(*ok), self.map(*err)),
                _ => {}
            }
        }
        let name = Symbol::new(&format!("{}{{{}}}", nominal.name(), self.label));
        let fields = |fields: &[Field]| {
            fields.iter().map(|field| Field { ty: self.map(field.ty), ..*field }).collect::<Vec<_>>()
        };
        // Labels are reused (TABLE3), so a type of this name may already exist with a different body.
        for version in 0_usize.. {
            let new = Nominal::new(self.universe(nominal, version), name, nominal.args().iter().copied());
            let mapped = Ty::new(kind(new));
            // The type is recorded before its body, which may mention it.
            let defined = self.types.draft(ty, mapped, || {
                let body = match nominal.body() {
                    Some(NominalBody::Struct(parts)) => NominalBody::Struct(fields(parts)),
                    Some(NominalBody::Enum(variants)) => {
                        let variant = |variant: &VariantTy| VariantTy {
                            name: variant.name,
                            fields: fields(&variant.fields),
                        };
                        NominalBody::Enum(variants.iter().map(variant).collect())
                    }
                    None => return Err(Undefined::NoBody),
                };
                if new.define(body) { Ok(mapped) } else { Err(Undefined::OtherBody) }
            });
            match defined {
                Ok(mapped) => return mapped,
                Err(Undefined::NoBody) => return ty,
                Err(Undefined::OtherBody) => {}
            }
        }
        ty
    }

    fn universe(&self, nominal: Nominal, version: usize) -> u32 {
        let (engine, within) = (self.engine, nominal.in_universe());
        let suffix = if version == 0 { String::new() } else { format!(", version {version}") };
        Nominal::universe(Symbol::new(&format!("types of engine {engine} from universe {within}{suffix}")))
    }

    /// Whether the context changes a type.
    fn changes(&self, ty: Ty) -> bool {
        ty.mentions(|part| {
            matches!(part.kind(), TyKind::Closure(_))
                || self.domain.as_ref().is_some_and(|domain| domain.map(part).is_some())
        })
    }
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label)
    }
}

/// Whether values of a type may contain function values whose code the type does not name.
fn holds_function_values(ty: Ty) -> bool {
    static KNOWN: LazyLock<Memo<Ty, bool>> = LazyLock::new(Memo::default);
    if let Some(known) = KNOWN.get(&ty) {
        return known;
    }
    let holds = ty.contains(|part| matches!(part.kind(), TyKind::Fn(_)));
    KNOWN.insert(ty, holds);
    holds
}
