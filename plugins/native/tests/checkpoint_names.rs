//! Checkpoints that keep named values, as machine code: the tests of `overdub-ad`, with another executor.

#[path = "../../ad/tests/checkpoint_names.rs"]
mod checkpoint_names;

use overdub_lower::api::Backend;
use overdub_native::Native;

overdub_lower::__private::inventory::submit! {
    Backend(|builder| builder.executor(Native::new()))
}
