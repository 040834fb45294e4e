//! The types of a program: results of inference, and the queries of lowering.
//!
//! - TYPES1 each instance is inferred once; its result or error is cached.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

use hashbrown::{HashMap, HashSet};
use overdub_context::{Span, Symbol};

use super::anonymous::AnonymousConstants;
use super::check;
use super::cx::{Cx, TraitPredicate};
use super::error::{InferError, InferErrorKind, Result};
use super::scope::{GenericScope, Hidden, Layout};
use super::ty::*;
use super::typed::*;
use crate::Program;
use crate::hir::{DefId, DefKind};

/// A constant beyond arithmetic on literals.
#[derive(Clone, Debug)]
pub enum Constant {
    /// An item: a constant, or a function without parameters.
    Item(Instance),
    /// One without a name, as the length of an array is.
    Anonymous(Arc<Typed>),
}

/// Evaluates constants beyond arithmetic on literals: runs the lowered constant in the interpreter.
pub type Evaluator = dyn Fn(Constant) -> Option<i128> + Send + Sync;

/// An impl with its arguments.
type ChosenImpl = (DefId, Box<[Arg]>);

/// The types of a program.
pub struct Types {
    program: Arc<Program>,
    pub(super) lang: Lang,
    layouts: Mutex<HashMap<DefId, Arc<Layout>>>,
    bodies: Mutex<HashMap<Instance, Result<Arc<Typed>>>>,
    closures: Mutex<HashMap<ClosureId, Arc<Closure>>>,
    /// Partial results of closures whose bodies are being inferred, by the inferring threads.
    drafts: Mutex<HashMap<(ThreadId, ClosureId), Arc<Closure>>>,
    impls: Mutex<HashMap<TraitPredicate, ChosenImpl>>,
    running: Mutex<HashSet<(ThreadId, Instance)>>,
    evaluator: OnceLock<Box<Evaluator>>,
    pub(super) anonymous: Mutex<AnonymousConstants>,
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Types").finish_non_exhaustive()
    }
}

/// The items that inference knows by name.
#[derive(Default)]
pub(super) struct Lang {
    items: HashMap<&'static str, DefId>,
    markers: HashSet<DefId>,
    /// `Fn`, `FnMut` and `FnOnce`.
    fns: Vec<DefId>,
}

impl Lang {
    fn of(program: &Program) -> Lang {
        let items: HashMap<&'static str, DefId> =
            crate::lang::NAMES.iter().filter_map(|&name| Some((name, program.lang(name)?))).collect();
        let markers = crate::lang::MARKERS.iter().filter_map(|name| items.get(name).copied()).collect();
        let fns = ["fn", "fn_mut", "fn_once"].iter().filter_map(|name| items.get(name).copied()).collect();
        Lang { items, markers, fns }
    }

    pub(super) fn get(&self, name: &str) -> Option<DefId> {
        self.items.get(name).copied()
    }

    pub(super) fn is(&self, def: DefId, name: &str) -> bool {
        self.get(name) == Some(def)
    }

    /// Whether the trait holds for every type.
    pub(super) fn is_marker(&self, def: DefId) -> bool {
        self.markers.contains(&def)
    }

    /// Whether the trait is `Fn`, `FnMut` or `FnOnce`.
    pub(super) fn is_fn(&self, def: DefId) -> bool {
        self.fns.contains(&def)
    }
}

impl Types {
    /// The types of a program, without any inferred yet.
    pub fn new(program: Arc<Program>) -> Types {
        let lang = Lang::of(&program);
        Types {
            program,
            lang,
            layouts: Mutex::default(),
            bodies: Mutex::default(),
            closures: Mutex::default(),
            drafts: Mutex::default(),
            impls: Mutex::default(),
            running: Mutex::default(),
            evaluator: OnceLock::new(),
            anonymous: Mutex::default(),
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Sets the evaluator of constants beyond arithmetic on literals. Only the first call has an effect.
    pub fn set_evaluator(&self, evaluator: Box<Evaluator>) {
        self.evaluator.get_or_init(|| evaluator);
    }

    pub(super) fn evaluate(&self, constant: Constant) -> Option<i128> {
        self.evaluator.get().and_then(|evaluator| evaluator(constant))
    }

    /// The types of an instance's body: a function's, a constant's, a static's.
    pub fn infer(&self, instance: Instance) -> Result<Arc<Typed>> {
        if let Some(known) = lock(&self.bodies).get(&instance) {
            return known.clone();
        }
        let running = (thread::current().id(), instance);
        if !lock(&self.running).insert(running) {
            let kind = InferErrorKind::RecursiveOpaque(self.name(instance));
            return Err(InferError::new(self.program.head(instance.def()).span, kind));
        }
        let result = check::body(self, instance).map(Arc::new);
        lock(&self.running).remove(&running);
        lock(&self.drafts).retain(|(by, id), _| (*by, id.owner) != running);
        lock(&self.bodies).insert(instance, result.clone());
        result
    }

    /// Whether the instance's body is being inferred, so that its hidden types are not known yet.
    pub(super) fn is_running(&self, instance: Instance) -> bool {
        lock(&self.running).contains(&(thread::current().id(), instance))
    }

    /// The types of an instance's parameters and of its result, with `impl Trait` replaced by its hidden
    /// type.
    pub fn signature(&self, instance: Instance) -> Result<(Vec<Ty>, Ty)> {
        let mut cx = Cx::new(self);
        let (params, ret) = cx.signature_of(instance)?;
        let span = self.program.head(instance.def()).span;
        let params = params.into_iter().map(|ty| cx.finish(ty, span)).collect::<Result<_>>()?;
        Ok((params, cx.finish(ret, span)?))
    }

    /// The type of a constant or static.
    pub fn const_type(&self, instance: Instance) -> Result<Ty> {
        let written = self.program.const_type(instance.def())?;
        let mut cx = Cx::new(self);
        let scope = self.scope(instance.def(), instance.args())?;
        let ty = cx.read_ty(&written, &scope)?;
        cx.finish(ty, written.span)
    }

    /// A closure, by its type's identity.
    pub fn closure(&self, id: ClosureId) -> Result<Arc<Closure>> {
        if let Some(known) = lock(&self.closures).get(&id) {
            return Ok(known.clone());
        }
        let typed = self.infer(id.owner)?;
        let closure = typed.closures.get(&id.expr).cloned().map(Arc::new).ok_or_else(|| {
            let kind = InferErrorKind::NoBody(format!("closure {:?} of {}", id.expr, self.name(id.owner)));
            InferError::new(self.program.head(id.owner.def()).span, kind)
        })?;
        lock(&self.closures).insert(id, closure.clone());
        Ok(closure)
    }

    /// A closure whose owner may be in progress, if its signature is known.
    pub(super) fn known_closure(&self, id: ClosureId) -> Option<Arc<Closure>> {
        if self.is_running(id.owner) {
            return lock(&self.drafts).get(&(thread::current().id(), id)).cloned();
        }
        self.closure(id).ok()
    }

    /// Publishes the signature of a closure whose owner is in progress.
    pub(super) fn draft(&self, id: ClosureId, closure: Closure) {
        lock(&self.drafts).insert((thread::current().id(), id), Arc::new(closure));
    }

    /// The item to which a trait's item resolves for these arguments (`Self` first, then the trait's, then
    /// its own): the impl's, the trait's default, or a method of a `dyn` object.
    pub fn resolve_assoc(&self, item: DefId, args: &[Arg]) -> Result<Callee> {
        let mut cx = Cx::new(self);
        cx.callee(Instance::new(item, args), self.program.head(item).span)
    }

    /// The methods dispatched on an object of a `dyn` type, in the order of [`Callee::Dyn`]'s index, each
    /// with the `dyn` type as `Self`.
    pub fn object_methods(&self, ty: Ty) -> Result<Vec<Instance>> {
        Cx::new(self).object_methods(ty)
    }

    /// The parameters and result of an object that is called by the `Fn` trait that its traits require.
    pub fn object_call(&self, ty: Ty) -> Result<Option<(Vec<Ty>, Ty)>> {
        Cx::new(self).object_call(ty)
    }

    /// Whether a call of an object consumes it, as that of a `dyn FnOnce` does.
    pub fn is_called_once(&self, ty: Ty) -> Result<bool> {
        Cx::new(self).is_called_once(ty)
    }

    /// The fields of a struct or of one of an enum's variants, for these arguments.
    pub fn fields(&self, ty: Ty, variant: DefId) -> Result<Fields> {
        let mut cx = Cx::new(self);
        let span = self.program.head(variant).span;
        let fields = cx.fields_of(ty, variant, span)?;
        fields.into_iter().map(|(name, ty)| Ok((name, cx.finish(ty, span)?))).collect()
    }

    /// The name and type of a field of a tuple, a struct or an enum of one variant; `None` for other types.
    pub(crate) fn field(&self, ty: Ty, at: u32) -> Option<(Symbol, Ty)> {
        match ty.kind() {
            TyKind::Tuple(elems) => elems.get(at as usize).map(|&ty| (Symbol::new(&at.to_string()), ty)),
            TyKind::Adt(def, _) => {
                let adt = self.program.adt(*def).ok().filter(|adt| !adt.is_union)?;
                let [variant] = &adt.variants[..] else { return None };
                self.fields(ty, variant.def).ok()?.get(at as usize).copied()
            }
            _ => None,
        }
    }

    /// The variants of a struct or an enum, in order, each with the types of its fields.
    pub fn variants(&self, ty: Ty) -> Result<Vec<(DefId, Fields)>> {
        let TyKind::Adt(def, _) = ty.kind() else { return Ok(vec![]) };
        let adt = self.program.adt(*def)?;
        adt.variants.iter().map(|variant| Ok((variant.def, self.fields(ty, variant.def)?))).collect()
    }

    /// The value of a constant that is an integer, a `bool` or a `char`.
    pub fn const_value(&self, constant: Instance) -> Result<i128> {
        Cx::new(self).const_item(constant, self.program.head(constant.def()).span)
    }

    /// Whether a type implements a trait with these arguments (without `Self`).
    pub fn implements(&self, ty: Ty, trait_: DefId, args: &[Arg]) -> bool {
        let args = std::iter::once(Arg::Ty(ty)).chain(args.iter().copied()).collect();
        Cx::new(self).holds(trait_, args)
    }

    /// The impl selected earlier for a predicate without variables.
    pub(super) fn known_impl(&self, predicate: &TraitPredicate) -> Option<ChosenImpl> {
        lock(&self.impls).get(predicate).cloned()
    }

    pub(super) fn keep_impl(&self, predicate: TraitPredicate, def: DefId, args: Box<[Arg]>) {
        lock(&self.impls).insert(predicate, (def, args));
    }

    pub(super) fn layout(&self, def: DefId) -> Result<Arc<Layout>> {
        if let Some(known) = lock(&self.layouts).get(&def) {
            return Ok(known.clone());
        }
        let layout = Arc::new(Layout::of(self, def)?);
        lock(&self.layouts).insert(def, layout.clone());
        Ok(layout)
    }

    pub(super) fn scope(&self, def: DefId, args: &[Arg]) -> Result<GenericScope> {
        Ok(GenericScope { layout: self.layout(def)?, args: args.into(), hidden: Hidden::None })
    }

    /// The item's name as an IR function: `dot<f64>`, `Point::norm`.
    pub fn name(&self, instance: Instance) -> String {
        super::show::instance(self, instance)
    }

    /// The type in Rust syntax.
    pub fn show(&self, ty: Ty) -> String {
        super::show::ty(self, ty)
    }

    pub(super) fn item_span(&self, def: DefId) -> Span {
        self.program.head(def).span
    }

    // Without the location of the item, which takes longer to find.
    pub(super) fn item_name(&self, def: DefId) -> Symbol {
        self.program.node(def).head.name
    }

    pub(super) fn kind(&self, def: DefId) -> DefKind {
        self.program.node(def).head.kind
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
