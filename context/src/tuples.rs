//! The one list of tuples that traits are implemented for.

/// Calls a macro with a row for each tuple of 1 to 16 elements: the names of their types, with their positions.
///
/// ```
/// trait Len {
///     fn len(&self) -> usize;
/// }
/// macro_rules! len {
///     ($($($elem:ident $at:tt)+;)*) => {$(
///         impl<$($elem),+> Len for ($($elem,)+) {
///             fn len(&self) -> usize {
///                 [$($at),+].len()
///             }
///         }
///     )*};
/// }
/// overdub_context::for_each_tuple!(len);
/// assert_eq!((1, "two", 3.0).len(), 3);
/// ```
#[macro_export]
macro_rules! for_each_tuple {
    ($each:ident) => {
        $each! {
            A 0;
            A 0 B 1;
            A 0 B 1 C 2;
            A 0 B 1 C 2 D 3;
            A 0 B 1 C 2 D 3 E 4;
            A 0 B 1 C 2 D 3 E 4 F 5;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14;
            A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15;
        }
    };
}
