#![doc = include_str!("guide.md")]

mod body;
mod call;
mod caller;
mod context;
mod domain;
mod error;
mod executor;
mod instance;
mod key;
mod layers;
mod live;
mod make;
mod names;
mod replacement;
mod rewrite;
mod run;
mod short;
mod specialiser;
mod unchanged;
mod wrap;

pub use body::{Body, Optimizer};
pub use call::{CallSite, Called, Hooks, Method, Post, Pre};
pub use caller::{Caller, Out};
pub use context::{Carries, Context, Empty, Ended, Outcome, Pass, PassError, ValueOnly, WithMetadata};
pub use domain::{Domain, Emit, Lift, Lifted};
pub use error::ContextError;
pub use executor::{Executor, Interpreting, Sink};
pub use key::Key;
pub use layers::{Layers, MadeFor, OpenRun, Output};
pub use live::{BEGIN, CALL, ENTER, HostCall, OPS, POST, PRE, WITHIN, before_contexts};
pub use names::Named;
pub use run::{Engine, EngineBuilder, Prepared};
pub use short::{Ctx, HookResult, ctx, ctx_with};
pub use wrap::WithoutHooks;
