#[derive(Clone, Debug, PartialEq, PartialOrd, Default)]
struct Pair<T> { a: T, b: T }

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
enum Level { #[default] Low, High(i32) }

// names <Pair as Clone>::clone: self@2 a0@2 a1@2 Self Self?
// names <Pair as PartialEq>::eq: self@2 other@2 a0@2 b0@2 a1@2 b1@2 Self? Self?
// names <Pair as PartialOrd>::partial_cmp: self@2 other@2 a0@2 b0@2 a1@2 b1@2 unequal@2 Self? Self?
// names <Pair as Default>::default: Self
// names <Pair as std::fmt::Debug>::fmt: self@2 <std::fmt::Formatter>::debug_struct f@2 a0@2 .field a1@2 .field .finish Self?
// names <Level as Ord>::cmp: self@5 other@5 a0@5 b0@5 self@5 other@5 _::Low? _::Low? _::High? _::High? _::Low? _::High? _::Low? _::High?
// names <Level as std::hash::Hash>::hash: self@5 state@5 self@5 a0@5 state@5 _::Low? _::High? _::Low? _::High?
// names <Level as Default>::default: _::Low
