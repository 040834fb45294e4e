//! Everything that users need, re-exported.
//!
// The links of the README, as those of the documentation: of two definitions the first counts.
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[benches]: crate::guide::performance")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[docs::architecture]: crate::guide::inside")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[docs::derivatives]: crate::ad")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[docs::passes]: crate::passes")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[examples]: crate::guide")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::command_line]: crate::guide::command_line")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::contexts]: crate::guide::contexts")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::debugging]: crate::guide::debugging")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::editors]: crate::guide::editors")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::export]: crate::guide::export")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::first_gradient]: crate::guide::first_gradient")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::inside]: crate::guide::inside")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::installing]: crate::guide::installing")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::map]: crate::guide::map")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::performance]: crate::guide::performance")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::ranks]: crate::guide::ranks")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::rules]: crate::guide::rules")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::sparsity]: crate::guide::sparsity")]
#![cfg_attr(all(doc, feature = "sparsity"), doc = "[guide::supported]: crate::guide::supported")]
// What the README shows needs the feature `check` to run.
#![cfg_attr(any(feature = "check", not(doctest)), doc = include_str!("README.md"))]
#![forbid(unsafe_code)]

pub use overdub_context as context;
pub use overdub_lower as lower;
pub use overdub_passes as passes;

pub use overdub_context::engine::{Context, ctx, ctx_from, ctx_with};
pub use overdub_context::limits;
#[doc(hidden)]
pub use overdub_lower::__private;
pub use overdub_lower::api::{
    Arguments, ByFunction, Callable, Erased, Error, ErrorKind, UnderContext, overdub, run, under,
};
pub use overdub_macros::{Dub, dub};

/// Lets overdub see into all functions of a crate without annotations, and into the crates that it depends on.
///
/// | in | lets overdub see into |
/// |---|---|
/// | `overdub::source!(crate);` | the crate whose root file (`main.rs`, `lib.rs`, a test, an example) contains this |
/// | `overdub::source!(self);` | the module whose file contains this, and those inside it |
/// | `overdub::source!(statrs);` | a dependency, if the crate itself has only annotations |
///
/// The function itself is passed, and type-checked by rustc: `gradient(f, (x,))`, `gradient(norm::<f64>, (&xs[..],))`,
/// `gradient(<Disc as Area>::area, (&disc,))`, `gradient(argmin_testfunctions::rosenbrock::<f64>, …)`. The example
/// `third_party_crate`:
///
/// ```ignore
#[doc = include_str!("examples/third_party_crate.rs")]
/// ```
///
/// # Contents of the binary
///
/// The text of the crate as rustc compiled it, the `cfg`s that were set then, and the path of its manifest. Crates that it
/// depends on are read from cargo's folders when they are first needed; a file that changed after the binary was built
/// is refused. Users can choose:
///
/// - `overdub::source!(crate, without text);` omits the text; the files are read from the path at which they were
///   compiled.
/// - `overdub::source!(crate, without paths);` omits the paths; overdub does not see into other crates. The names of files
///   in errors are those of `--remap-path-prefix`.
///
/// # Limitations
///
/// A function is refused if rustc gives it the same name as another one: two functions with one name in one function, or a
/// binary and a library with one name that both contain it. Everything that overdub cannot run is reported when it is called, in
/// one error ([`Error::missing`](crate::Error::missing)). The expansion of procedural macros, and the output of build
/// scripts, are not visible to it.
pub use overdub_macros::source;

/// Derivatives of functions: [`gradient`](ad::gradient) and similar functions, their contexts, and their checks.
///
/// The implementation, for functions of loaded sources and for other plugins, is the crate [`overdub_ad`].
pub mod ad {
    #[overdub_macros::dub(crate = ::overdub_lower)]
    pub use overdub_ad::annotations::{
        checkpoint, checkpoint_name, checkpoint_saving, replace_gradient, stop_gradient,
    };
    pub use overdub_ad::api::*;
    #[cfg(feature = "check")]
    pub use overdub_ad::check::*;
    pub use overdub_ad::custom::{ByRules, RuleBuilder, RuleError, RuleFor, Rules, rule};
    #[cfg(feature = "check")]
    pub use overdub_ad::prop_assert_gradient;
}

// What programs see of these that take derivatives of their own functions.
overdub_lower::provide_items!("overdub", "pub use overdub_inside::{Error, run};");
overdub_lower::provide_items!(
    "overdub::ad",
    "pub use overdub_inside::{derivative, gradient, value_and_gradient};"
);
overdub_lower::provide_items!(
    "overdub::prelude",
    "pub use overdub_inside::{gradient, run, value_and_gradient};"
);
#[cfg(feature = "spmd")]
overdub_lower::provide_items!("overdub::spmd", "pub use overdub_axis_inside::*;");

/// Linear algebra on ndarray's arrays, with derivatives: inverse, solve, determinant, Cholesky.
///
/// ```
/// use ndarray::{Array1, Array2, array};
/// use overdub::linalg::{ln_det, solve};
/// use overdub::prelude::*;
///
/// /// The logarithm of a normal density, up to a constant.
/// #[dub]
/// fn log_density(x: &Array1<f64>, covariance: &Array2<f64>) -> Option<f64> {
///     let weighed = solve(covariance, x).ok()?;
///     Some(-0.5 * (x.dot(&weighed) + ln_det(covariance).ok()?))
/// }
///
/// let (x, covariance) = (array![1.0, -2.0], array![[2.0, 0.5], [0.5, 1.0]]);
/// let (dx, dcovariance) = gradient(log_density, (&x, &covariance))?;
/// let weighed = solve(&covariance, &x)?;
/// assert!((dx + &weighed).iter().all(|difference| difference.abs() < 1e-12));
/// assert_eq!(dcovariance.dim(), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `faer-linalg` the factorisations are faer's.
pub mod linalg {
    #[overdub_macros::dub(crate = ::overdub_lower)]
    pub use overdub_context::linalg::{LinalgError, Real, cholesky, det, inv, ln_det, solve, solve_all};
}

/// Patterns of sparse Jacobians and Hessians, and their evaluation by colors.
#[cfg(feature = "sparsity")]
pub mod sparsity {
    pub use overdub_sparsity::api::*;
    pub use overdub_sparsity::*;
}

/// Devices that run mapped functions: [`map(f).on(device)`](spmd::Map::on).
#[cfg(feature = "device")]
pub mod device {
    pub use overdub_device::*;
}

/// A function of one element, run for many: `map(f).over((&xs, Fixed(k))).values()`, on several threads, with derivatives, or
/// `overdub(Lanes, f, (&xs, Fixed(k)))`, as a context; and programs on several ranks that communicate: [`psum`](spmd::psum) and the like, under [`OnAxis`](spmd::OnAxis).
#[cfg(feature = "spmd")]
pub mod spmd {
    pub use overdub_spmd::*;
}

/// `dub!(|x: f64| x * k)`, a closure that overdub sees into; it is called like any closure, and passed to `run` like a
/// function.
///
/// In Rust, attributes and macros share one namespace, so `dub!` is imported separately from the prelude:
/// `use overdub::{closures::dub, prelude::*};` imports both.
pub mod closures {
    pub use overdub_macros::dub_closure as dub;
}

#[cfg(all(doc, feature = "sparsity", any(feature = "check", not(doctest))))]
#[path = "guide/guide.rs"]
pub mod guide;

/// Machine code: with the feature `native`, functions that [`overdub`] and derivatives run are compiled by Cranelift if they run
/// for longer than compiling takes. [`run`] uses the interpreter, the reference; results are bitwise equal.
///
/// `Native` itself is an executor for custom engines:
///
/// ```
/// use overdub::{context::engine::Empty, lower::registry, native::Native, prelude::*};
///
/// #[dub]
/// fn harmonic(n: usize) -> f64 {
///     (1..=n).map(|k| 1.0 / k as f64).sum()
/// }
///
/// // Compiled if the run is long enough.
/// for n in [10, 1_000_000] {
///     assert_eq!(overdub(Empty, harmonic, (n,))?, harmonic(n));
/// }
/// // Always.
/// let engine = registry::program().engine_builder().executor(Native::new()).build();
/// assert_eq!(overdub::lower::api::overdub_in(&engine, Empty, harmonic, (10,))?, harmonic(10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "native")]
pub mod native {
    pub use overdub_native::*;

    #[cfg(not(feature = "rustc"))]
    overdub_lower::__private::inventory::submit! {
        overdub_lower::api::Backend(|builder| builder.executor(Native::auto()))
    }
}

/// Functions as the installed rustc compiles them: with the feature `rustc`, those that [`overdub`] and derivatives run for
/// half a second in all are exported as Rust, compiled in the background, and run so from then on; libraries are kept for the
/// next process. Until then, and where there is no rustc, they run by machine code or the interpreter. Results are bitwise
/// equal.
///
/// [`Rustc`](rustc::Rustc) itself is an executor for custom engines:
///
/// ```
/// use overdub::{context::engine::{Empty, Interpreting}, lower::registry, prelude::*, rustc::Rustc};
///
/// #[dub]
/// fn harmonic(n: usize) -> f64 {
///     (1..=n).map(|k| 1.0 / k as f64).sum()
/// }
///
/// let by_rustc = Rustc::new(Interpreting::new()).compiling_first();
/// let engine = registry::program().engine_builder().executor(by_rustc).build();
/// assert_eq!(overdub::lower::api::overdub_in(&engine, Empty, harmonic, (10,))?, harmonic(10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "rustc")]
pub mod rustc {
    pub use overdub_rustc::*;

    overdub_lower::__private::inventory::submit! {
        overdub_lower::api::Backend(|builder| {
            #[cfg(feature = "native")]
            let below = overdub_native::Native::auto();
            #[cfg(not(feature = "native"))]
            let below = overdub_context::engine::Interpreting::new();
            builder.executor(Rustc::new(below))
        })
    }
}

/// What most programs need: `use overdub::prelude::*`.
pub mod prelude {
    pub use crate::ad::{ADCtx, AdCtx, Forward, Reverse, gradient, value_and_gradient};
    #[cfg(feature = "spmd")]
    pub use crate::spmd::Lanes;
    pub use crate::{ByFunction, Context, Dub, ctx, ctx_from, ctx_with, dub, overdub, run, under};
}
