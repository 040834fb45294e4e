//! The codes of the errors of reading Rust source, and of calls of its functions.
#![doc = include_str!("../errors.md")]

overdub_context::codes! {
    "../errors.md";
    /// A file cannot be read.
    UNREADABLE = 301;
    /// The text is not Rust.
    SYNTAX = 302;
    /// A path does not resolve.
    NOT_FOUND = 303;
    /// A path resolves to an item of another kind.
    WRONG_KIND = 304;
    /// A macro cannot be expanded.
    MACRO = 305;
    /// A manifest is malformed.
    MANIFEST = 306;
    /// An unsupported construct.
    UNSUPPORTED = 307;
    /// The source of a function is not known.
    UNKNOWN_SOURCE = 308;
    /// No function has this name.
    NO_FUNCTION = 309;
    /// The arguments do not fit the function.
    ARGUMENT = 310;
    /// A type differs from what is expected.
    MISMATCH = 401;
    /// A type has no such method.
    NO_METHOD = 402;
    /// A type has no such field.
    NO_FIELD = 403;
    /// A type does not implement a trait.
    UNSATISFIED = 404;
    /// A type does not follow from what is known.
    UNKNOWN_TYPE = 405;
    /// What is called cannot be called.
    NOT_CALLABLE = 406;
    /// The number of arguments is wrong.
    ARG_COUNT = 407;
    /// A type has no such operator.
    NO_OPERATOR = 408;
    /// `?` is applied to another type.
    NOT_TRY = 409;
    /// A cast that does not exist.
    CAST = 410;
    /// A name is not that of a struct, a variant or a constant.
    NOT_CTOR = 411;
    /// The value of a constant is not known.
    CONST = 412;
    /// A function has no body.
    NO_BODY = 413;
    /// A returned `impl Trait` depends on itself.
    RECURSIVE_OPAQUE = 414;
    /// A generic function is named without its types.
    NO_DEFAULT = 415;
    /// A function takes another one.
    TAKES_FUNCTION = 416;
    /// Types nest too deeply.
    TOO_DEEP = 417;
}
