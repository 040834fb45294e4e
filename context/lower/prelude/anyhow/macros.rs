//! The macros. `ensure!` shows both sides of a comparison, if the condition is one without `&&` and `||`.

#[macro_export]
macro_rules! anyhow {
    ($msg:literal $(,)?) => { $crate::Error::msg($crate::__private::format!($msg)) };
    ($err:expr $(,)?) => {{
        use $crate::__private::{AdhocKind, BoxedKind, TraitKind};
        match $err {
            error => (&error).anyhow_kind().new(error),
        }
    }};
    ($fmt:expr, $($arg:tt)*) => { $crate::Error::msg($crate::__private::format!($fmt, $($arg)*)) };
}

#[macro_export]
macro_rules! bail {
    ($($args:tt)*) => { return $crate::__private::Err($crate::anyhow!($($args)*)) };
}

#[macro_export]
macro_rules! ensure {
    ($($all:tt)*) => { $crate::__left_of_ensure!(($($all)*) () $($all)*) };
}

/// The tokens before the operator of a comparison.
#[macro_export]
macro_rules! __left_of_ensure {
    ($all:tt ($($left:tt)+) == $($rest:tt)+) => { $crate::__right_of_ensure!($all ($($left)+) == () $($rest)+) };
    ($all:tt ($($left:tt)+) != $($rest:tt)+) => { $crate::__right_of_ensure!($all ($($left)+) != () $($rest)+) };
    ($all:tt ($($left:tt)+) <= $($rest:tt)+) => { $crate::__right_of_ensure!($all ($($left)+) <= () $($rest)+) };
    ($all:tt ($($left:tt)+) >= $($rest:tt)+) => { $crate::__right_of_ensure!($all ($($left)+) >= () $($rest)+) };
    ($all:tt ($($left:tt)+) < $($rest:tt)+) => { $crate::__right_of_ensure!($all ($($left)+) < () $($rest)+) };
    ($all:tt ($($left:tt)+) > $($rest:tt)+) => { $crate::__right_of_ensure!($all ($($left)+) > () $($rest)+) };
    (($($all:tt)*) $left:tt && $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    (($($all:tt)*) $left:tt || $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    (($($all:tt)*) $left:tt , $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    ($all:tt ($($left:tt)*) $next:tt $($rest:tt)*) => { $crate::__left_of_ensure!($all ($($left)* $next) $($rest)*) };
    (($($all:tt)*) $left:tt) => { $crate::__whole_of_ensure!($($all)*) };
}

/// The tokens behind the operator.
#[macro_export]
macro_rules! __right_of_ensure {
    ($all:tt ($left:expr) $op:tt ($right:expr) $(,)?) => {
        match (&$left, &$right) {
            (left, right) => {
                if !(left $op right) {
                    use $crate::__private::{WithDebug, WithoutDebug};
                    return $crate::__private::Err((left, right).ensured(&$crate::__private::format!(
                        "Condition failed: `{} {} {}`",
                        $crate::__private::stringify!($left),
                        $crate::__private::stringify!($op),
                        $crate::__private::stringify!($right),
                    )));
                }
            }
        }
    };
    (($($all:tt)*) $left:tt $op:tt $right:tt && $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    (($($all:tt)*) $left:tt $op:tt $right:tt || $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    (($($all:tt)*) $left:tt $op:tt $right:tt , $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    (($($all:tt)*) $left:tt $op:tt $right:tt < $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    (($($all:tt)*) $left:tt $op:tt $right:tt > $($rest:tt)*) => { $crate::__whole_of_ensure!($($all)*) };
    ($all:tt $left:tt $op:tt ($($right:tt)*) $next:tt $($rest:tt)*) => {
        $crate::__right_of_ensure!($all $left $op ($($right)* $next) $($rest)*)
    };
}

/// A condition that is shown as it is written, or a message.
#[macro_export]
macro_rules! __whole_of_ensure {
    ($cond:expr $(,)?) => {
        if !$cond {
            return $crate::__private::Err($crate::Error::msg($crate::__private::format!(
                "Condition failed: `{}`",
                $crate::__private::stringify!($cond),
            )));
        }
    };
    ($cond:expr, $($args:tt)*) => {
        if !$cond {
            $crate::bail!($($args)*);
        }
    };
}
