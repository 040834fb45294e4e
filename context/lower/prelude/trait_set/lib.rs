//! The crate `trait_set` as programs see it: names for several traits together.

#[macro_export]
macro_rules! trait_set {
    ($($(#[$meta:meta])* $vis:vis trait $name:ident $(<$($param:ident),+ $(,)?>)? = $($bound:path)+*;)*) => {$(
        $(#[$meta])*
        $vis trait $name $(<$($param),+>)?: $($bound +)* {}

        impl<Inner $(, $($param),+)?> $name $(<$($param),+>)? for Inner where Inner: $($bound +)* {}
    )*};
}
