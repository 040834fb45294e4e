//! The crate `equator` as programs see it: assertions that say what the operands of their comparisons were. All operands are
//! evaluated, also those behind a condition that does not hold.

use core::fmt;
use core::fmt::{Debug, Write};

/// The condition arrives in braces, its comparisons and lists marked.
#[lang("equator")]
#[macro_export]
macro_rules! assert {
    ({$($condition:tt)*} $($message:tt)*) => {
        match $crate::condition!($($condition)*) {
            condition => {
                if !$crate::Condition::holds(&condition) {
                    $crate::failed(&condition, (file!(), line!(), column!()), format!($($message)*))
                }
            }
        }
    };
}

#[macro_export]
macro_rules! debug_assert {
    ($($tokens:tt)*) => {
        if cfg!(debug_assertions) {
            $crate::assert!($($tokens)*)
        }
    };
}

#[macro_export]
macro_rules! condition {
    (@test ($condition:expr)) => { $crate::Test { source: stringify!($condition), holds: $condition } };
    (@compare $operator:tt ($left:expr) ($right:expr)) => {
        match (&$left, &$right) {
            (left, right) => $crate::Comparison {
                operator: stringify!($operator),
                sources: (stringify!($left), stringify!($right)),
                left,
                right,
                holds: *left $operator *right,
            },
        }
    };
    (@all) => { $crate::Test { source: "all()", holds: true } };
    (@any) => { $crate::Test { source: "any()", holds: false } };
    (@all {$($only:tt)*}) => { $crate::condition!($($only)*) };
    (@any {$($only:tt)*}) => { $crate::condition!($($only)*) };
    (@all {$($first:tt)*} $($others:tt)+) => {
        $crate::All($crate::condition!($($first)*), $crate::condition!(@all $($others)+))
    };
    (@any {$($first:tt)*} $($others:tt)+) => {
        $crate::Any($crate::condition!($($first)*), $crate::condition!(@any $($others)+))
    };
}

pub trait Condition {
    fn holds(&self) -> bool;
    fn explain(&self, text: &mut String) -> fmt::Result;
}

pub struct Test {
    pub source: &'static str,
    pub holds: bool,
}

impl Condition for Test {
    fn holds(&self) -> bool {
        self.holds
    }

    fn explain(&self, text: &mut String) -> fmt::Result {
        let Test { source, holds } = self;
        write!(text, "Assertion failed: {source}\n- {source} = {holds:#?}")
    }
}

pub struct Comparison<'a, L: ?Sized, R: ?Sized> {
    pub operator: &'static str,
    pub sources: (&'static str, &'static str),
    pub left: &'a L,
    pub right: &'a R,
    pub holds: bool,
}

impl<L: ?Sized + Debug, R: ?Sized + Debug> Condition for Comparison<'_, L, R> {
    fn holds(&self) -> bool {
        self.holds
    }

    fn explain(&self, text: &mut String) -> fmt::Result {
        let Comparison { operator, sources: (l, r), left, right, .. } = self;
        write!(text, "Assertion failed: {l} {operator} {r}\n- {l} = {left:#?}\n- {r} = {right:#?}")
    }
}

pub struct All<L, R>(pub L, pub R);

impl<L: Condition, R: Condition> Condition for All<L, R> {
    fn holds(&self) -> bool {
        self.0.holds() && self.1.holds()
    }

    fn explain(&self, text: &mut String) -> fmt::Result {
        let failed = (!self.0.holds(), !self.1.holds());
        if failed.0 {
            self.0.explain(text)?;
        }
        if failed.0 && failed.1 {
            text.push('\n');
        }
        if failed.1 {
            self.1.explain(text)?;
        }
        Ok(())
    }
}

pub struct Any<L, R>(pub L, pub R);

impl<L: Condition, R: Condition> Condition for Any<L, R> {
    fn holds(&self) -> bool {
        self.0.holds() || self.1.holds()
    }

    fn explain(&self, text: &mut String) -> fmt::Result {
        self.0.explain(text)?;
        self.1.explain(text)
    }
}

#[cold]
pub fn failed<C: Condition>(condition: &C, place: (&'static str, u32, u32), message: String) -> ! {
    let (file, line, column) = place;
    let mut text = format!("Assertion failed at {file}:{line}:{column}\n");
    if !message.is_empty() {
        text.push_str(&message);
        text.push('\n');
    }
    // Writing to a string does not fail.
    let _ = condition.explain(&mut text);
    panic!("{text}")
}
