//! The value and the gradient as exported: plain Rust, compiled with the benchmark. A test of `overdub-export` holds the
//! files to what is exported.

macro_rules! included {
    ($($name:ident)*) => {$(
        pub(crate) mod $name {
            include!(concat!("../../kernels/exported/", stringify!($name), ".rs"));
        }
    )*};
}

included! {
    rosenbrock rosenbrock_gradient rosenbrock_hvp windows windows_gradient path sines total trace tree mixture
    mixture_in_ten residuals lstm perceptron
}
