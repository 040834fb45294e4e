//! The lowering of a program: its functions by name, lowered on first use.
//!
//! - SYMBOL1 a symbol names exactly one piece of code, and each piece of code has exactly one symbol.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::interp::{Interpreter, Output};
use overdub_context::ir::{Func, FuncSource, Instead, LoadError, Matches, Module, Nominal, Ty};
use overdub_context::limits::{Budget, Limits};
use overdub_context::memo::Memo;
use overdub_context::value::Value;

use super::abi::{Abi, AbiParam, Passing};
use super::error::LowerError;
use super::needs_drop::{DropImpls, NeedsDrop};
use super::program_uses::Uses;
use super::tys::Langs;
use super::{body, entry, glue, object, shim};
use crate::hir::{DefId, ExprId};
use crate::infer::{self, Capture, CaptureMode, ClosureId, Constant, Instance, TyKind, Typed, Types};
use crate::program::Program;
use crate::provided::{BodyRequest, GeneratedBody, provided_body};

/// The greatest number of `const` blocks that are evaluated within each other; deeper ones are computed where they stand.
const MAX_CONST_BLOCKS: usize = 16;

/// The maximal number of steps for evaluating a constant before it is left to run time.
const MAX_CONST_STEPS: u64 = 20_000_000;

/// A piece of code that becomes a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Code {
    /// A function, an operation, a constant.
    Item(Instance),
    /// The entry for external callers of a function with views in its signature.
    Entry(Instance),
    /// The constructor of a tuple struct or variant.
    Ctor(Instance),
    /// A closure.
    Closure(ClosureId),
    /// A method of an object kept in a cell: the method, and the object's type.
    InCell(Instance, infer::Ty),
    /// The drop glue of the type.
    Drop(infer::Ty),
    /// The function that drops an object of a value of the type.
    DropObject(infer::Ty),
    /// The function that drops such an object if it is kept in a cell.
    DropInCell(infer::Ty),
}

/// Lowers the functions of a program to IR when they are first requested.
pub struct Lowering {
    pub(super) program: Arc<Program>,
    pub(super) types: Arc<Types>,
    pub(super) langs: Langs,
    pub(super) fn_traits: Vec<DefId>,
    pub(super) universe: u32,
    pub(super) drop_impls: DropImpls,
    needs_drop: Mutex<NeedsDrop>,
    pub(super) named_uses: OnceLock<Uses>,
    pub(super) may_drop: OnceLock<bool>,
    pub(super) counts_owners: OnceLock<bool>,
    pub(super) keeps_capacity: OnceLock<bool>,
    pub(super) numbers_threads: OnceLock<bool>,
    pub(super) makes_cells_of_places: OnceLock<bool>,
    /// The IR types; a struct or enum is entered before its fields are lowered, since it may be recursive.
    pub(super) tys: Memo<infer::Ty, Ty>,
    names: Mutex<Names>,
    abis: Mutex<HashMap<Instance, Arc<Abi>>>,
    lowered_funcs: Mutex<HashMap<Symbol, Result<Arc<Func>, LowerError>>>,
    folded: Mutex<HashMap<Instance, Option<Value<'static>>>>,
    /// A weak reference to itself, for the module in which constants are evaluated.
    me: Weak<Lowering>,
    /// Whether functions get debug information.
    pub(super) debug_info: bool,
}

impl fmt::Debug for Lowering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lowering").finish_non_exhaustive()
    }
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassedBy {
    /// By value.
    Value,
    /// `&mut`: the value is passed in and its final value is returned.
    InOut,
    /// `&mut` as a reference to a cell, since the result may retain it.
    Reference,
}

/// The parameters and the result of a function, in Rust and in the IR.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The types of the parameters.
    pub params: Vec<infer::Ty>,
    /// The type of the result.
    pub ret: infer::Ty,
    /// The IR types of the arguments, and how they are passed.
    pub ir_params: Vec<(Ty, PassedBy)>,
    /// The IR type of the result alone.
    pub ir_ret: Ty,
}

#[derive(Default)]
struct Names {
    codes: HashMap<Symbol, Code>,
    symbols: HashMap<Code, Symbol>,
}

impl Lowering {
    /// The lowering of a program whose types are `types`.
    pub fn new(types: Arc<Types>) -> Arc<Lowering> {
        Lowering::with(types, false)
    }

    /// Like [`Lowering::new`], but functions outside of the prelude get debug information, and each
    /// assignment to a source variable produces a value of its own in the IR, so that it can be changed
    /// without changing others.
    pub fn with_debug_info(types: Arc<Types>) -> Arc<Lowering> {
        Lowering::with(types, true)
    }

    fn with(types: Arc<Types>, debug_info: bool) -> Arc<Lowering> {
        let program = types.program().clone();
        let key = program.path(program.root());
        let fn_traits = ["fn", "fn_mut", "fn_once"].iter().filter_map(|name| program.lang(name)).collect();
        let lowering = Arc::new_cyclic(|me| Lowering {
            langs: Langs::of(&program),
            fn_traits,
            drop_impls: DropImpls::of(&program),
            needs_drop: Mutex::default(),
            named_uses: OnceLock::new(),
            may_drop: OnceLock::new(),
            counts_owners: OnceLock::new(),
            keeps_capacity: OnceLock::new(),
            numbers_threads: OnceLock::new(),
            makes_cells_of_places: OnceLock::new(),
            universe: Nominal::universe(Symbol::new(&key)),
            program,
            types,
            tys: Memo::default(),
            names: Mutex::default(),
            abis: Mutex::default(),
            lowered_funcs: Mutex::default(),
            folded: Mutex::default(),
            me: me.clone(),
            debug_info,
        });
        let me = lowering.me.clone();
        lowering.types.set_evaluator(Box::new(move |constant| {
            let lowering = me.upgrade()?;
            let value = match constant {
                Constant::Item(instance) => lowering.folded(instance),
                Constant::Anonymous(typed) => lowering.evaluate_anonymous(&typed),
            };
            match value? {
                Value::Bool(b) => Some(i128::from(b)),
                Value::Char(c) => Some(i128::from(u32::from(c))),
                value => value.as_int().map(|(_, n)| n),
            }
        }));
        lowering
    }

    pub(super) fn lock_needs_drop(&self) -> MutexGuard<'_, NeedsDrop> {
        lock(&self.needs_drop)
    }

    /// The program's types.
    pub fn types(&self) -> &Arc<Types> {
        &self.types
    }

    /// The name of the IR function of an instance: of a function, an operation, a constant.
    pub fn symbol(&self, instance: Instance) -> Symbol {
        self.symbol_of(Code::Item(instance))
    }

    /// The IR type of a Rust type.
    ///
    /// # Errors
    /// If a part of it cannot be resolved.
    pub fn ir_ty(&self, ty: infer::Ty) -> Result<Ty, LowerError> {
        self.ty(ty)
    }

    /// The IR function of an instance; it is lowered at most once.
    ///
    /// # Errors
    /// If it cannot be lowered; the error names the unsupported construct.
    pub fn ir_of(&self, instance: Instance) -> Result<Arc<Func>, LowerError> {
        self.lower(self.symbol(instance), Code::Item(instance))
    }

    pub(super) fn lock_folded(&self) -> MutexGuard<'_, HashMap<Instance, Option<Value<'static>>>> {
        lock(&self.folded)
    }

    /// The value of a constant as computed by the interpreter; `None` if that fails or the value is not only
    /// data.
    pub(super) fn evaluate(&self, constant: Instance) -> Option<Value<'static>> {
        self.run_constant(self.symbol(constant), None)
    }

    /// As [`Lowering::evaluate`], for a constant without a name.
    fn evaluate_anonymous(&self, typed: &Arc<Typed>) -> Option<Value<'static>> {
        let name = Symbol::new("{constant}");
        let func = body::anonymous(self, name, typed).and_then(|func| self.checked(func)).ok()?;
        self.run_constant(name, Some(func))
    }

    /// As [`Lowering::evaluate`], for a `const` block in a body; none if it depends on itself.
    pub(super) fn evaluate_block(&self, typed: &Arc<Typed>, block: ExprId) -> Option<Value<'static>> {
        thread_local! {
            /// The blocks that are being evaluated, by their bodies, which are held meanwhile.
            static RUNNING: RefCell<Vec<(usize, ExprId)>> = const { RefCell::new(Vec::new()) };
        }
        let key = (Arc::as_ptr(typed).addr(), block);
        let is_open =
            RUNNING.with_borrow(|running| running.len() < MAX_CONST_BLOCKS && !running.contains(&key));
        if !is_open {
            return None;
        }
        RUNNING.with_borrow_mut(|running| running.push(key));
        let name = Symbol::new("{constant}");
        let func = body::const_block(self, name, typed, block).and_then(|func| self.checked(func));
        let value = func.ok().and_then(|func| self.run_constant(name, Some(func)));
        RUNNING.with_borrow_mut(|running| running.pop());
        value
    }

    fn run_constant(&self, name: Symbol, anonymous: Option<Func>) -> Option<Value<'static>> {
        let mut module = Module::new();
        module.add_source(Box::new(LoweredFuncs(self.me.upgrade()?)));
        if let Some(func) = anonymous {
            module.define(func);
        }
        let limits = Limits { steps: Some(MAX_CONST_STEPS), ..Limits::default() };
        let mut interpreter = Interpreter::new(&module).with_limits(limits).with_output(Output::Discard);
        // Whether a constant is folded must not depend on what is left of the limits of the run that needs it.
        let value = Budget::suspended(|| interpreter.run(name, vec![])).ok()?;
        value.is_data().then_some(value)
    }

    /// The signature of a function.
    ///
    /// # Errors
    /// If a type cannot be resolved.
    pub fn signature(&self, instance: Instance) -> Result<Signature, LowerError> {
        let (params, ret) = self.types.signature(instance)?;
        self.passing(params, ret)
    }

    /// The signature of a callable value.
    ///
    /// # Errors
    /// If it cannot be called.
    pub fn signature_of_value(&self, ty: infer::Ty) -> Result<Signature, LowerError> {
        match self.callable(ty)? {
            Some((params, ret)) => self.passing(params, ret),
            None => {
                let message = format!("`{}` cannot be called", self.types.show(ty));
                Err(LowerError::new(overdub_context::Span::unknown(), message))
            }
        }
    }

    fn passing(&self, params: Vec<infer::Ty>, ret: infer::Ty) -> Result<Signature, LowerError> {
        let abi = Abi::of(self, &params, ret)?;
        let passed = |(param, ty): (&AbiParam, &infer::Ty)| {
            let by = match (param.passing, ty.kind()) {
                (Passing::InOut, _) => PassedBy::InOut,
                (Passing::Value, TyKind::RefMut(inner)) if !self.is_object(*inner) => PassedBy::Reference,
                (Passing::Value, _) => PassedBy::Value,
            };
            (param.ty, by)
        };
        let ir_params = abi.params.iter().zip(&params).map(passed).collect();
        Ok(Signature { params, ret, ir_params, ir_ret: abi.ret })
    }

    /// The IR of an instance and of all functions that it transitively calls, in order of first mention.
    ///
    /// # Errors
    /// If the instance itself cannot be lowered; callees that cannot are left out.
    pub fn closure_of(&self, instance: Instance) -> Result<Vec<Arc<Func>>, LowerError> {
        let mut found = vec![self.ir_of(instance)?];
        let mut seen: HashSet<Symbol> = found.iter().map(|func| func.name).collect();
        let mut at = 0;
        while let Some(func) = found.get(at).cloned() {
            at += 1;
            for name in func.mentioned() {
                if seen.insert(name)
                    && let Some(Ok(func)) = self.code(name).map(|code| self.lower(name, code))
                {
                    found.push(func);
                }
            }
        }
        Ok(found)
    }

    /// The symbols assigned to code.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        lock(&self.names).codes.keys().copied().collect()
    }

    pub(super) fn code(&self, name: Symbol) -> Option<Code> {
        lock(&self.names).codes.get(&name).copied()
    }

    pub(super) fn lower(&self, name: Symbol, code: Code) -> Result<Arc<Func>, LowerError> {
        if let Some(known) = lock(&self.lowered_funcs).get(&name) {
            return known.clone();
        }
        let func = match code {
            Code::Item(instance) if self.program.head(instance.def()).op.is_some() => {
                shim::op(self, name, instance)
            }
            Code::Item(instance) if shim::is_intrinsic(self, instance) => {
                shim::intrinsic(self, name, instance)
            }
            Code::Item(instance) => {
                self.program.with_stack_for(instance.def(), || body::item(self, name, instance))
            }
            Code::Entry(instance) => {
                self.program.with_stack_for(instance.def(), || entry::entry(self, name, instance))
            }
            Code::Ctor(instance) => shim::ctor(self, name, instance),
            Code::Closure(id) => {
                self.program.with_stack_for(id.owner.def(), || body::closure(self, name, id))
            }
            Code::InCell(method, object) => object::method_in_cell(self, name, method, object),
            Code::Drop(ty) => glue::drop_value(self, name, ty),
            Code::DropObject(ty) => glue::drop_object(self, name, ty, false),
            Code::DropInCell(ty) => glue::drop_object(self, name, ty, true),
        };
        let func = func.and_then(|func| self.replace_by_host_body(func));
        let lowered = func.and_then(|func| self.checked(func)).map(Arc::new);
        lock(&self.lowered_funcs).entry(name).or_insert(lowered).clone()
    }

    /// The function, or its replacement by the host together with the callees of that.
    fn replace_by_host_body(&self, func: Func) -> Result<Func, LowerError> {
        let Some(provided) = provided_body(func.name) else { return Ok(func) };
        let lookup = |name: Symbol| match self.code(name) {
            Some(code) => Ok(Some(self.lower(name, code)?)),
            None => Ok(lock(&self.lowered_funcs).get(&name).cloned().transpose()?),
        };
        let generated = (provided.generate)(&BodyRequest { func: &func, lookup: &lookup });
        let GeneratedBody { func, callees } = generated?;
        let mut known = lock(&self.lowered_funcs);
        for callee in callees {
            known.entry(callee.name).or_insert(Ok(callee));
        }
        Ok(func)
    }

    /// The function, verified in builds with debug assertions.
    fn checked(&self, func: Func) -> Result<Func, LowerError> {
        if cfg!(debug_assertions)
            && let Err(error) = overdub_context::verify::verify(&func)
        {
            let message = format!("internal: `{}` is lowered to invalid IR: {error}", func.name);
            return Err(LowerError::new(func.span, message));
        }
        Ok(func)
    }

    /// The name of a piece of code (SYMBOL1).
    pub(super) fn symbol_of(&self, code: Code) -> Symbol {
        if let Some(&known) = lock(&self.names).symbols.get(&code) {
            return known;
        }
        let base = self.describe(code);
        let mut names = lock(&self.names);
        // Another thread may have named it in the meantime.
        if let Some(&known) = names.symbols.get(&code) {
            return known;
        }
        let mut name = Symbol::new(&base);
        let mut copy = 1;
        while names.codes.contains_key(&name) {
            name = Symbol::new(&format!("{base}#{copy}"));
            copy += 1;
        }
        names.codes.insert(name, code);
        names.symbols.insert(code, name);
        name
    }

    fn describe(&self, code: Code) -> String {
        match code {
            Code::Item(instance) | Code::Ctor(instance) => self.types.name(instance),
            Code::Entry(instance) => entry::entry_name(&self.types.name(instance)),
            Code::Closure(id) => {
                let typed = self.types.infer(id.owner);
                let before =
                    typed.map_or(0, |typed| typed.closures.keys().filter(|&&expr| expr < id.expr).count());
                format!("{}::{{closure#{before}}}", self.types.name(id.owner))
            }
            Code::InCell(method, _) => format!("{}::{{dyn}}", self.types.name(method)),
            Code::Drop(ty) => format!("drop<{}>", self.types.show(ty)),
            Code::DropObject(ty) | Code::DropInCell(ty) => {
                format!("drop<{}>::{{dyn}}", self.types.show(ty))
            }
        }
    }

    pub(super) fn closure_symbol(&self, id: ClosureId) -> Symbol {
        self.symbol_of(Code::Closure(id))
    }

    /// The function that a function item's value calls.
    pub(super) fn fn_item(&self, instance: Instance, _ty: infer::Ty) -> Result<Symbol, LowerError> {
        let is_ctor = self.program.variant_of(instance.def()).is_some();
        let instance = self.implementor(instance)?;
        Ok(self.symbol_of(if is_ctor { Code::Ctor(instance) } else { Code::Item(instance) }))
    }

    /// Resolves a trait's function to the implementor's.
    fn implementor(&self, instance: Instance) -> Result<Instance, LowerError> {
        let of_trait = self
            .program
            .container(instance.def())
            .is_some_and(|container| self.program.head(container).kind == crate::hir::DefKind::Trait);
        if of_trait
            && let infer::Callee::Fn(found) = self.types.resolve_assoc(instance.def(), instance.args())?
        {
            return Ok(found);
        }
        Ok(instance)
    }

    /// The calling convention of an instance.
    pub(super) fn abi(&self, instance: Instance) -> Result<Arc<Abi>, LowerError> {
        if let Some(known) = lock(&self.abis).get(&instance) {
            return Ok(known.clone());
        }
        let (params, ret) = self.types.signature(instance)?;
        let op = self.program.head(instance.def()).op;
        let abi = match op {
            Some(operation) if !shim::takes_references(operation) => {
                Abi::of_op(self, &params, ret, &self.program.fn_sig(instance.def())?.params)?
            }
            _ => Abi::of(self, &params, ret)?,
        };
        let abi = Arc::new(abi);
        lock(&self.abis).insert(instance, abi.clone());
        Ok(abi)
    }

    /// The captures of a closure.
    pub(super) fn captures(&self, id: ClosureId) -> Result<Vec<Capture>, LowerError> {
        Ok(self.types.closure(id)?.captures.clone())
    }

    pub(super) fn capture_tys(&self, id: ClosureId) -> Result<Vec<Ty>, LowerError> {
        self.captures(id)?.iter().map(|captured| self.capture_ty(captured)).collect()
    }

    /// The IR type of a capture: a value, or a reference to the place's cell.
    fn capture_ty(&self, captured: &Capture) -> Result<Ty, LowerError> {
        match (captured.mode, captured.ty.kind()) {
            (CaptureMode::Ref, TyKind::RefMut(inner)) => self.ty(*inner),
            (_, TyKind::RefMut(_)) | (CaptureMode::Ref | CaptureMode::Move, _) => self.ty(captured.ty),
            (CaptureMode::RefMut | CaptureMode::MoveMut, _) => Ok(Ty::reference(self.ty(captured.ty)?)),
        }
    }
}

/// The functions of a lowering, as a module's source.
pub struct LoweredFuncs(pub Arc<Lowering>);

impl fmt::Debug for LoweredFuncs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoweredFuncs").finish_non_exhaustive()
    }
}

impl FuncSource for LoweredFuncs {
    fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        match self.0.code(name) {
            Some(code) => Ok(Some(self.0.lower(name, code)?)),
            // A function that the host added.
            None => Ok(lock(&self.0.lowered_funcs).get(&name).cloned().transpose()?),
        }
    }

    fn resolve(&self, path: &str, instead: &Instead<'_>) -> Result<Option<Symbol>, LoadError> {
        Ok(self.0.resolved(path, instead)?)
    }

    fn search(&self, name: &str) -> Option<Matches> {
        Some(self.0.search(name))
    }

    fn similar(&self, name: &str) -> Vec<String> {
        self.0.similar(name)
    }

    fn search_within(&self, name: &str) -> bool {
        self.0.search_within(name)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
