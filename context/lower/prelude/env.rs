//! The environment, which programs cannot see here.

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VarError {
    NotPresent,
}

pub fn var(key: &str) -> Result<String, VarError> {
    panic!("reading the environment variable `{key}` has no meaning here: give the function its input as an argument")
}

/// What `option_env!` is.
#[lang("no_variable")]
pub const fn no_variable() -> Option<&'static str> {
    None
}

pub fn args() -> crate::vec::IntoIter<String> {
    panic!("reading the command line has no meaning here: give the function its input as an argument")
}
