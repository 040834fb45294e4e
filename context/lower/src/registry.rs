//! The items registered by `#[dub]`, `dub!` and `#[derive(Dub)]`, and the program that they form.
//!
//! - REGISTRY1 everything linked into the process is registered before the program is first requested; the
//!   program is loaded once.
//! - REGISTRY2 a function item is found by its `TypeId` or, if it is generic, by the name that rustc gives
//!   its type; both come from rustc, so the function found is the one that rustc would call.

use std::any::TypeId;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::Ty as IrTy;
use overdub_context::value::{StructFault, faulty_struct, provide_struct_tys};

use crate::hir::DefId;
use crate::infer::{Instance, Ty};
use crate::loaded::{Function, Loaded};
use crate::lower::LowerError;
use crate::naming;
use crate::program::Program;
pub use crate::registration::{
    Piece, Registered, RegisteredDependency, RegisteredFn, RegisteredSource, SourceFiles,
};

/// The identity of a value's type.
pub fn type_id_of<T: 'static>(_: &T) -> TypeId {
    TypeId::of::<T>()
}

/// The name that rustc gives a value's type.
pub fn name_of<T>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}

/// The program of all items registered in this process.
pub fn program() -> &'static Loaded {
    static PROGRAM: OnceLock<Loaded> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program =
            Program::from_registered(inventory::iter::<Registered>, inventory::iter::<RegisteredSource>);
        provide_struct_tys(|name| self::program().lowering().ir_ty(rust_ty_named(name).ok()?).ok());
        Loaded::new(program)
    })
}

/// The instance of the function whose type is `F`.
///
/// # Errors
/// If it is not registered; the error states what to annotate.
pub fn instance_of<F: 'static>() -> Result<Instance, LowerError> {
    let name = std::any::type_name::<F>();
    let by_name = || naming::instance_named(program().types(), name, None);
    match known_funcs().get(&TypeId::of::<F>()) {
        Some((item, path)) => {
            let annotated = || naming::instance_named(program().types(), path, Some(item));
            // Beside types of a function whose source is registered: these are found by their names.
            match item.scope_name() != item.module {
                true => by_name().or_else(|_| annotated()),
                false => annotated(),
            }
        }
        None => by_name(),
    }
}

/// The function whose type is `F`, with its signature; the result is cached.
///
/// # Errors
/// If it is not registered, or its signature cannot be lowered.
pub fn function_of<F: 'static>() -> Result<Arc<Function>, LowerError> {
    static KNOWN: LazyLock<RwLock<HashMap<TypeId, Arc<Function>>>> = LazyLock::new(RwLock::default);
    let of = TypeId::of::<F>();
    if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&of) {
        return Ok(known.clone());
    }
    let function = Arc::new(program().function_at(instance_of::<F>()?)?);
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(of, function.clone());
    Ok(function)
}

/// The Rust type of `T`.
///
/// # Errors
/// If it, or a part of it, is not registered.
pub fn rust_ty_of<T: ?Sized>() -> Result<Ty, LowerError> {
    rust_ty_named(std::any::type_name::<T>())
}

/// The Rust type that rustc calls `name`.
///
/// # Errors
/// If it, or a part of it, is not registered.
pub fn rust_ty_named(name: &'static str) -> Result<Ty, LowerError> {
    static KNOWN: Mutex<Option<HashMap<&'static str, Ty>>> = Mutex::new(None);
    let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&known) = lock().as_ref().and_then(|known| known.get(name)) {
        return Ok(known);
    }
    let ty = naming::ty_named(program().types(), name)?;
    lock().get_or_insert_default().insert(name, ty);
    Ok(ty)
}

/// The item called `name` in the module, or in the enclosing function, that rustc calls `scope`.
///
/// # Errors
/// If it is not registered.
pub fn item_in(scope: &str, name: &str) -> Result<DefId, LowerError> {
    naming::item_in(program().types(), scope, name)
}

/// The IR type that `T` is lowered to.
///
/// # Errors
/// If it, or a part of it, is not registered.
pub fn ir_ty_of<T: ?Sized>() -> Result<IrTy, LowerError> {
    program().lowering().ir_ty(rust_ty_of::<T>()?)
}

/// The IR type that `T` is lowered to; if there is none, or callers pass the values of a field otherwise than they lie in the
/// struct, an opaque host type of that name, which no function has as a parameter type.
pub fn ir_ty_or_opaque<T: ?Sized>() -> IrTy {
    static KNOWN: RwLock<Option<HashMap<&'static str, IrTy>>> = RwLock::new(None);
    let name = std::any::type_name::<T>();
    if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).as_ref()
        && let Some(known) = known.get(name)
    {
        return *known;
    }
    let ty = match rust_ty_of::<T>().and_then(|ty| Ok((ty, program().lowering().ir_ty(ty)?))) {
        Ok((rust, ty)) => match program().lowering().field_passed_otherwise(rust) {
            Some(field) => faulty_struct(name, StructFault::Field(program().types().show(field))),
            None => ty,
        },
        Err(_) => IrTy::opaque(Symbol::new(name)),
    };
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(name, ty);
    ty
}

/// Functions by their types: their registrations, and their paths relative to those.
type KnownFuncs = HashMap<TypeId, (&'static Registered, &'static str)>;

fn known_funcs() -> &'static KnownFuncs {
    static FUNCS: OnceLock<KnownFuncs> = OnceLock::new();
    FUNCS.get_or_init(|| {
        let mut funcs = HashMap::new();
        for item in inventory::iter::<Registered> {
            for (name, id) in item.funcs {
                funcs.insert(id(), (item, *name));
            }
        }
        funcs
    })
}
