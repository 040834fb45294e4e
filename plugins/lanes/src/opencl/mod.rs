//! Programs as kernels in OpenCL C: a work item is an element, a block is a label.
//!
//! - CL1 text for OpenCL C 1.2 with 64-bit floats: pointers have their address spaces, and nothing is called but functions of
//!   scalars, so that a work item that fails returns at once.
//! - CL2 a word is an `ulong`, a float its bits, an integer extended to 64 bits; a mask is an `int` that is 0 or 1.
//! - CL3 the tapes of all work items are interleaved: word `k` of each, then word `k + 1`, so that accesses are coalesced.
//! - CL4 the lists that a work item has for itself (LOCAL1) are behind the tapes, those of 32 work items interleaved: so accesses of a
//!   warp at one index are coalesced, and on a processor those of a work item are near each other.
//! - CL5 the same text is a kernel of CUDA C++, and a program of C++ where `OVERDUB_ON_HOST` is defined, which runs the work items
//!   one by one.

mod eval;
mod packed;
mod steps;

use overdub_context::Span;
use overdub_context::ir::{Func, Ty};
use overdub_context::value::{Array, Value};

use crate::layout;
use crate::lower::lower;
use crate::program::{Edge, Exit, Origin, Place, Program};
use crate::unsupported::{Reason, Unsupported};

const HEAD: &str = include_str!("head.cl");
const SUMS: &str = include_str!("sums.cl");
const HOST: &str = include_str!("host.cpp");

/// A kernel `overdub_kernel`, beside which `overdub_sums` adds numbers of its results.
///
/// The arguments of the first are the number of work items, the bytes for each result, where results begin, the results, the status of each work item,
/// the memory for tapes and the bytes of it for each work item; then for each parameter its data, where they begin, offsets of the
/// arguments from there, and the distance at which they follow each other, or the greatest `ulong` if the offsets count. All numbers
/// are `ulong`s. Arguments and results are packed: scalars take whole words, an enum its tag and the fields of that variant, a
/// list its length and its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Kernel {
    /// The text.
    pub text: String,
    /// Whether it takes memory for tapes.
    pub has_tapes: bool,
    /// The number of lists that each work item has for itself, in its memory, such as derivatives of a list. Each tape and each
    /// of them gets the same part of the memory.
    pub own_lists: usize,
}

/// The kernel of a function, which has to be optimised with all its calls inlined.
///
/// # Errors
/// If the function does something else than compute with scalars, arrays that it does not change, and tapes.
pub fn kernel(func: &Func) -> Result<Kernel, Unsupported> {
    // Each work item has its own arrays as well as its own scalars.
    let program = lower(func, &vec![false; func.params().len()])?;
    let mut printer = Printer { program: &program, text: String::new(), span: func.span };
    printer.kernel(func.ret)?;
    // On the host, its arguments are those of columns.
    let column = |number: usize| {
        let of = format!("columns[{number}]");
        format!(", {of}.data, 0, {of}.offsets, {of}.stride")
    };
    let columns: String = (0..program.params.len()).map(column).collect();
    let call = format!(
        "static void overdub_call(\n    ulong len, ulong room, uchar *results, uchar *status, ulong *memory, ulong memory_each,\n    \
         const OverdubColumn *columns\n) {{\n    (void)columns;\n    \
         overdub_kernel(len, room, 0, results, status, memory, memory_each{columns});\n}}\n#endif\n"
    );
    let text = format!("{HEAD}{}{SUMS}{HOST}{call}", printer.text);
    Ok(Kernel { text, has_tapes: program.stacks > 0, own_lists: printer.own_arrays().count() })
}

/// Writes the text of a program.
struct Printer<'p> {
    program: &'p Program,
    text: String,
    span: Span,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str("    ");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The numbers of the arrays that each work item has for itself, which are changed.
    fn own_arrays(&self) -> impl Iterator<Item = (usize, Ty)> {
        let own = |(number, array): (usize, &Origin)| match array {
            Origin::Own(elem) => Some((number, *elem)),
            _ => None,
        };
        self.program.arrays.iter().enumerate().filter_map(own)
    }

    /// Where these arrays are (CL4).
    fn own_places(&mut self) {
        let numbers: Vec<usize> = self.own_arrays().map(|(number, _)| number).collect();
        if numbers.is_empty() {
            return;
        }
        let (stacks, count) = (self.program.stacks, numbers.len());
        self.line("ulong tile = element - element % 32, width = len - tile < 32 ? len - tile : 32;");
        self.line(&format!(
            "__global ulong *own = memory + {stacks} * tape_room * len + {count} * tape_room * tile + element % 32;"
        ));
        for (at, number) in numbers.into_iter().enumerate() {
            self.line(&format!("__global ulong *a{number} = own + {at} * tape_room * width;"));
            self.line(&format!("ulong a{number}_len = 0;"));
        }
    }

    fn unsupported<T>(&self, reason: Reason) -> Result<T, Unsupported> {
        Err(Unsupported { reason, span: self.span })
    }

    fn kernel(&mut self, ret: Ty) -> Result<(), Unsupported> {
        let program = self.program;
        for (number, array) in program.arrays.iter().enumerate() {
            if let Origin::Const(Value::Array(array)) = array {
                let text = self.constant(number, array)?;
                self.text.push_str(&text);
            }
        }
        self.text.push_str(
            "__kernel void overdub_kernel(\n    ulong len, ulong room, ulong first, __global uchar *results, __global uchar *status, \
             __global ulong *memory, ulong memory_each",
        );
        for number in 0..program.params.len() {
            self.text.push_str(&format!(
                ",\n    __global const uchar *data{number}, ulong begin{number}, __global const ulong *offsets{number}, \
                 ulong stride{number}"
            ));
        }
        self.text.push_str("\n) {\n");
        self.line("ulong element = get_global_id(0);");
        self.line("if (element >= len) { return; }");
        self.registers();
        let slots = program.stacks + self.own_arrays().count();
        if slots > 0 {
            self.line(&format!("ulong tape_room = memory_each / 8 / {slots};"));
            for stack in 0..program.stacks {
                self.line(&format!("ulong depth{stack} = 0;"));
            }
        }
        self.own_places();
        for (number, (ty, places, _)) in program.params.iter().enumerate() {
            self.param(number, *ty, places)?;
        }
        for planned in &program.uniform {
            self.step(&planned.step)?;
        }
        self.line("goto block0;");
        for (number, block) in program.blocks.iter().enumerate() {
            self.text.push_str(&format!("block{number}:;\n"));
            for planned in &block.steps {
                self.step(&planned.step)?;
            }
            self.exit(&block.exit, ret)?;
        }
        self.text.push_str("}\n");
        Ok(())
    }

    /// The registers, those that are constant with their values.
    fn registers(&mut self) {
        let program = self.program;
        let mut words = vec![0; program.words];
        for (word, bits) in &program.constants {
            words[*word as usize] = *bits;
        }
        let mut masks = vec![0; program.masks];
        for (mask, bits) in &program.constant_masks {
            masks[*mask as usize] = bits & 1;
        }
        for (number, bits) in words.into_iter().enumerate() {
            self.line(&format!("ulong w{number} = 0x{bits:x}ul;"));
        }
        for (number, bit) in masks.into_iter().enumerate() {
            self.line(&format!("int m{number} = {bit};"));
        }
    }

    /// The definition of an array that is constant.
    fn constant(&self, number: usize, array: &Array<'_>) -> Result<String, Unsupported> {
        let elem = array.elem_ty();
        let Some(words) = crate::words::words_of(array) else {
            return self.unsupported(Reason::Type(Ty::array(elem, 1)));
        };
        // No array is empty in OpenCL C.
        let words: Vec<String> = words.iter().chain([&0]).map(|word| format!("0x{word:x}ul")).collect();
        Ok(format!(
            "__constant ulong overdub_constant{number}[] = {{{}}};\n#define a{number}_len {}ul\n",
            words.join(", "),
            words.len() - 1
        ))
    }

    fn exit(&mut self, exit: &Exit, ret: Ty) -> Result<(), Unsupported> {
        match exit {
            Exit::Branch(edge) => self.edge(edge, ""),
            Exit::If(on, then, otherwise) => {
                self.line(&format!("if (m{on}) {{"));
                self.edge(then, "    ");
                self.line("}");
                self.edge(otherwise, "");
            }
            Exit::Switch(on, cases, otherwise) => {
                for (case, edge) in cases {
                    self.line(&format!("if (w{on} == 0x{case:x}ul) {{"));
                    self.edge(edge, "    ");
                    self.line("}");
                }
                match otherwise {
                    Some(edge) => self.edge(edge, ""),
                    None => self.line("OVERDUB_LEAVE(OVERDUB_FAILED);"),
                }
            }
            Exit::Return(places) => self.result(ret, places)?,
            Exit::Fail => self.line("OVERDUB_LEAVE(OVERDUB_FAILED);"),
        }
        Ok(())
    }

    fn edge(&mut self, edge: &Edge, indent: &str) {
        for (to, from) in &edge.words {
            self.line(&format!("{indent}w{to} = w{from};"));
        }
        for (to, from) in &edge.masks {
            self.line(&format!("{indent}m{to} = m{from};"));
        }
        self.line(&format!("{indent}goto block{};", edge.to));
    }
}

/// The variable of a scalar.
fn variable(place: Place) -> String {
    match place {
        Place::Word(word) => format!("w{word}"),
        Place::Mask(mask) => format!("m{mask}"),
        Place::Array(array) => format!("a{array}"),
        Place::Stack(stack) => format!("depth{stack}"),
    }
}

/// Whether values of a type are numbers, bools or characters of up to 64 bits.
fn is_scalar(ty: Ty) -> bool {
    layout::is_scalar(ty)
}
