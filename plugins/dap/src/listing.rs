//! `disassemble`: the intermediate representation of a function, with an instruction on each line.
//!
//! - ADDR1 the `k`th reachable function is at address `(k + 1) << 24`, and each of its instructions takes one
//!   address.

use dapts::{DisassembleResponse, DisassembledInstruction, DisassembledInstructionPresentationHint as Hint};
use overdub_context::ir::{Block, Func};
use overdub_context::text::Printer;
use overdub_context::{Span, Symbol};
use overdub_debugger::{FrameInfo, Session};
use serde::Deserialize;

use crate::client::Conventions;
use crate::program::{Program, Then};
use crate::refusal::Refusal;

/// The arguments of `disassemble`. Those of the protocol's crate do not allow negative offsets.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DisassembleArguments {
    memory_reference: String,
    #[serde(default)]
    offset: Option<i64>,
    #[serde(default)]
    instruction_offset: Option<i64>,
    instruction_count: u64,
}

/// The number of address bits of a function.
const BITS: u32 = 24;

/// The greatest number of instructions in a response.
const MOST: u64 = 10_000;

/// The address of the current instruction of a call.
pub(crate) fn address(session: &Session, frame: &FrameInfo) -> Option<String> {
    let number = session.functions().iter().position(|name| *name == frame.function)?;
    let func = session.loaded().module().func(frame.function).ok()??;
    let before = &func.blocks[..frame.place.block.index()];
    let at = before.iter().map(|body| body.insts.len() + 1).sum::<usize>() + frame.place.at;
    Some(shown(begin(number) + at as i64))
}

fn begin(number: usize) -> i64 {
    (number as i64 + 1) << BITS
}

fn shown(address: i64) -> String {
    format!("{address:#010x}")
}

/// `disassemble`
pub(crate) fn disassemble(
    program: &mut Program,
    conventions: Conventions,
    args: DisassembleArguments,
) -> Result<(DisassembleResponse, Then), Refusal> {
    let DisassembleArguments { memory_reference, offset, instruction_offset, instruction_count } = args;
    let no_address = || Refusal::NoAddress(memory_reference.clone());
    let text = memory_reference.trim();
    let address = match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let address = address.map_err(|_| no_address())?;
    let number = usize::try_from((address >> BITS) - 1).map_err(|_| no_address())?;
    let Program { script, sources, .. } = program;
    let session = script.session();
    let name: Symbol = *session.functions().get(number).ok_or_else(no_address)?;
    let func = session.loaded().module().func(name).ok().flatten().ok_or_else(no_address)?;
    let lines = lines(&func);
    let first = (address - begin(number))
        .checked_add(offset.unwrap_or(0))
        .and_then(|first| first.checked_add(instruction_offset.unwrap_or(0)))
        .ok_or_else(no_address)?;
    let one = |at: i64| {
        let line = usize::try_from(at).ok().and_then(|at| lines.get(at));
        let mut instruction = DisassembledInstruction {
            address: shown(begin(number).saturating_add(at).max(0)),
            instruction: String::new(),
            instruction_bytes: None,
            symbol: None,
            location: None,
            line: None,
            column: None,
            end_line: None,
            end_column: None,
            presentation_hint: Some(Hint::Invalid),
        };
        if let Some(line) = line {
            instruction.instruction.clone_from(&line.text);
            instruction.symbol.clone_from(&line.label);
            instruction.presentation_hint = None;
            instruction.location = sources.at(line.span);
            instruction.line = instruction.location.as_ref().map(|_| conventions.line_out(line.span.line));
        }
        instruction
    };
    let count = i64::try_from(instruction_count.min(MOST)).unwrap_or(0);
    let instructions = (first..first.saturating_add(count)).map(one).collect();
    Ok((DisassembleResponse { instructions }, Then::Nothing))
}

/// An instruction, and the label of its block if it is the first.
struct Line {
    text: String,
    label: Option<String>,
    span: Span,
}

fn lines(func: &Func) -> Vec<Line> {
    let mut lines = Vec::new();
    for (block, body) in func.iter_blocks() {
        let first = lines.len();
        lines.extend(body.insts.iter().map(|inst| Line {
            text: Printer::new().inst(func, inst),
            label: None,
            span: inst.span,
        }));
        // A missing terminator gets a line too, so that addresses match the positions of frames.
        let terminator = body.terminator.as_ref();
        lines.push(Line {
            text: terminator.map_or_else(String::new, |last| Printer::new().terminator(func, last)),
            label: None,
            span: terminator.map_or_else(Span::unknown, |last| last.span),
        });
        lines[first].label = Some(match block {
            Block::ENTRY => format!("@{}", func.name),
            block => format!("^{}", func.block_label(block)),
        });
    }
    lines
}
