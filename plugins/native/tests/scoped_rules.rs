//! Rules that hold for some derivatives only, as machine code.

use overdub_lower::api::Backend;
use overdub_native::Native;

overdub_lower::__private::inventory::submit! {
    Backend(|builder| builder.executor(Native::new()))
}

#[path = "../../ad/tests/scoped_rules.rs"]
mod laws;
