//! The crate `trait_set` as programs see it: names for several traits together.

#[macro_export]
macro_rules! trait_set {
    () => {};
    ($(#[$meta:meta])* $vis:vis trait $name:ident $(<$($param:ident),+ $(,)?>)? = $($rest:tt)*) => {
        $crate::bounded! { [$(#[$meta])* $vis] $name [$($($param),+)?] [] $($rest)* }
    };
}

/// Collects the bounds of one name up to the semicolon.
#[macro_export]
macro_rules! bounded {
    ([$($before:tt)*] $name:ident [$($param:ident),*] [$($bound:tt)*] ; $($rest:tt)*) => {
        $($before)* trait $name<$($param),*>: $($bound)* {}

        impl<$($param,)* Inner> $name<$($param),*> for Inner where Inner: $($bound)* {}

        $crate::trait_set! { $($rest)* }
    };
    ([$($before:tt)*] $name:ident [$($param:ident),*] [$($bound:tt)*] $next:tt $($rest:tt)*) => {
        $crate::bounded! { [$($before)*] $name [$($param),*] [$($bound)* $next] $($rest)* }
    };
}
