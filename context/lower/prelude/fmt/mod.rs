//! Formatting: a formatter is the text so far and the format of the next piece.
//!
//! `format_args!("{x:>8} m")` is `let f = begin(); text(&mut f, …); spec(&mut f, …); piece(&mut f, x.fmt(&mut f)); end(f)`.

mod builders;
mod impls;
mod num;

pub use builders::{DebugList, DebugMap, DebugSet, DebugStruct, DebugTuple};

pub type Result = crate::result::Result<(), Error>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Error;

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad("an error occurred when formatting an argument")
    }
}

impl crate::error::Error for Error {}

/// A formatted text, and whether formatting failed.
#[lang("arguments")]
#[derive(Clone)]
pub struct Arguments<'a> {
    pub text: String,
    pub failed: bool,
}

impl Arguments<'_> {
    pub fn as_str(&self) -> Option<&'static str> {
        Some(&self.text)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    Left,
    Right,
    Center,
}

/// The format of a piece; the default is `plain()`.
#[derive(Clone)]
pub struct Spec {
    pub alternate: bool,
    pub plus: bool,
    pub minus: bool,
    pub zero: bool,
    pub fill: char,
    pub align: Option<Alignment>,
    pub width: Option<usize>,
    pub precision: Option<usize>,
    pub hex: char,
}

#[lang("formatter")]
pub struct Formatter<'a> {
    pub out: String,
    pub spec: Spec,
    pub failed: bool,
}

fn plain() -> Spec {
    Spec {
        alternate: false,
        plus: false,
        minus: false,
        zero: false,
        fill: ' ',
        align: None,
        width: None,
        precision: None,
        hex: ' ',
    }
}

#[lang("fmt_begin")]
pub fn begin<'a>() -> Formatter<'a> {
    Formatter { out: String::new(), spec: plain(), failed: false }
}

#[lang("fmt_text")]
pub fn text(f: &mut Formatter<'_>, text: &str) {
    f.out.push_str(text);
}

/// Sets the format of the next piece; `align` is `'<'`, `'^'`, `'>'`, or `' '` for none; `hex` is `'x'` or
/// `'X'` if `Debug` writes hexadecimal integers.
#[lang("fmt_spec")]
pub fn spec(
    f: &mut Formatter<'_>,
    alternate: bool,
    plus: bool,
    minus: bool,
    zero: bool,
    fill: char,
    align: char,
    width: Option<usize>,
    precision: Option<usize>,
    hex: char,
) {
    let align = match align {
        '<' => Some(Alignment::Left),
        '^' => Some(Alignment::Center),
        '>' => Some(Alignment::Right),
        _ => None,
    };
    f.spec = Spec { alternate, plus, minus, zero, fill, align, width, precision, hex };
}

/// Resets the format, for a piece without a format specification.
#[lang("fmt_plain")]
pub fn plain_spec(f: &mut Formatter<'_>) {
    f.spec = plain();
}

/// Records the result of writing a piece.
#[lang("fmt_piece")]
pub fn piece(f: &mut Formatter<'_>, result: Result) {
    if result.is_err() {
        f.failed = true;
    }
}

#[lang("fmt_end")]
pub fn end(f: Formatter<'_>) -> Arguments<'_> {
    Arguments { text: f.out, failed: f.failed }
}

pub fn format(args: Arguments<'_>) -> String {
    if args.failed {
        panic!("a formatting trait implementation returned an error when the underlying stream did not");
    }
    args.text
}

macro_rules! styles {
    ($($lang:literal $Trait:ident;)*) => {$(
        #[lang($lang)]
        pub trait $Trait {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result;
        }

        impl<T: ?Sized + $Trait> $Trait for &T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                $Trait::fmt(&**self, f)
            }
        }

        impl<T: ?Sized + $Trait> $Trait for &mut T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                $Trait::fmt(&**self, f)
            }
        }
    )*};
}

styles! {
    "display" Display;
    "debug" Debug;
    "lower_exp" LowerExp;
    "upper_exp" UpperExp;
    "lower_hex" LowerHex;
    "upper_hex" UpperHex;
    "binary" Binary;
    "octal" Octal;
    "pointer" Pointer;
}

pub trait Write {
    fn write_str(&mut self, s: &str) -> Result;

    fn write_char(&mut self, c: char) -> Result {
        self.write_str(&c.to_string())
    }

    fn write_fmt(&mut self, args: Arguments<'_>) -> Result {
        self.write_str(&args.text)?;
        if args.failed { Err(Error) } else { Ok(()) }
    }
}

impl<W: Write + ?Sized> Write for &mut W {
    fn write_str(&mut self, s: &str) -> Result {
        (**self).write_str(s)
    }
}

impl Write for String {
    fn write_str(&mut self, s: &str) -> Result {
        self.push_str(s);
        Ok(())
    }
}

impl Write for Formatter<'_> {
    fn write_str(&mut self, s: &str) -> Result {
        self.out.push_str(s);
        Ok(())
    }
}

pub fn write<W: Write + ?Sized>(output: &mut W, args: Arguments<'_>) -> Result {
    output.write_fmt(args)
}

#[op("fmt.pad")]
fn padded(s: &str, fill: char, align: i64, width: usize) -> String;

/// `s` padded to the width of `spec`; `default` is the alignment if none is specified.
fn pad_to_width(spec: &Spec, s: &str, default: i64) -> String {
    let Some(width) = spec.width else { return s.to_string() };
    let align = match spec.align {
        Some(Alignment::Left) => 0,
        Some(Alignment::Center) => 1,
        Some(Alignment::Right) => 2,
        None => default,
    };
    padded(s, spec.fill, align, width)
}

impl<'a> Formatter<'a> {
    pub fn write_str(&mut self, s: &str) -> Result {
        self.out.push_str(s);
        Ok(())
    }

    pub fn write_char(&mut self, c: char) -> Result {
        self.out.push(c);
        Ok(())
    }

    pub fn write_fmt(&mut self, args: Arguments<'_>) -> Result {
        self.out.push_str(&args.text);
        if args.failed { Err(Error) } else { Ok(()) }
    }

    /// A text, truncated to the precision and padded to the width.
    pub fn pad(&mut self, s: &str) -> Result {
        if self.spec.width.is_none() && self.spec.precision.is_none() {
            self.out.push_str(s);
            return Ok(());
        }
        let cut = match self.spec.precision {
            Some(most) => s.chars().take(most).collect::<String>(),
            None => s.to_string(),
        };
        self.out.push_str(&pad_to_width(&self.spec, &cut, 0));
        Ok(())
    }

    /// A number from its digits: sign, prefix if requested, then zeros or padding.
    pub fn pad_integral(&mut self, is_nonnegative: bool, prefix: &str, digits: &str) -> Result {
        let sign = if !is_nonnegative {
            "-"
        } else if self.spec.plus {
            "+"
        } else {
            ""
        };
        let prefix = if self.spec.alternate { prefix } else { "" };
        self.pad_number(&(sign.to_string() + prefix), digits)
    }

    /// A number: `head` precedes the zeros.
    fn pad_number(&mut self, head: &str, digits: &str) -> Result {
        let Some(width) = self.spec.width else {
            self.out.push_str(head);
            self.out.push_str(digits);
            return Ok(());
        };
        if self.spec.zero {
            let len = head.len() + digits.len();
            self.out.push_str(head);
            if width > len {
                self.out.push_str(&"0".repeat(width - len));
            }
            self.out.push_str(digits);
            return Ok(());
        }
        self.out.push_str(&pad_to_width(&self.spec, &(head.to_string() + digits), 2));
        Ok(())
    }

    pub fn fill(&self) -> char {
        self.spec.fill
    }

    pub fn align(&self) -> Option<Alignment> {
        self.spec.align
    }

    pub fn width(&self) -> Option<usize> {
        self.spec.width
    }

    pub fn precision(&self) -> Option<usize> {
        self.spec.precision
    }

    pub fn sign_plus(&self) -> bool {
        self.spec.plus
    }

    pub fn sign_minus(&self) -> bool {
        self.spec.minus
    }

    pub fn alternate(&self) -> bool {
        self.spec.alternate
    }

    pub fn sign_aware_zero_pad(&self) -> bool {
        self.spec.zero
    }

    pub fn debug_struct(&mut self, name: &str) -> DebugStruct<'_, 'a> {
        builders::debug_struct(self, name)
    }

    pub fn debug_tuple(&mut self, name: &str) -> DebugTuple<'_, 'a> {
        builders::debug_tuple(self, name)
    }

    pub fn debug_list(&mut self) -> DebugList<'_, 'a> {
        builders::debug_list(self)
    }

    pub fn debug_set(&mut self) -> DebugSet<'_, 'a> {
        builders::debug_set(self)
    }

    pub fn debug_map(&mut self) -> DebugMap<'_, 'a> {
        builders::debug_map(self)
    }
}
