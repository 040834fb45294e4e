//! Writes the derivatives of the model.

fn main() -> Result<(), overdub_build::Error> {
    use overdub_build::{Derivatives, Function};
    Derivatives::new()
        .function(Function::value_and_gradient("model::misfit").with_respect_to(["wave"]))
        .function(Function::hvp("model::misfit").with_respect_to(["wave"]).named("curvature"))
        .types_by_path()
        .write()
}
