//! A peer of the benchmark: items on standard input, `item<TAB>section` on standard output, by keywords alone.
//!
//! `keyword-peer dfa|nfa KEYWORDS FALLBACK`; KEYWORDS has `keyword<TAB>section` lines. The leftmost-longest keyword decides, letter
//! case aside; there are no word boundaries, plurals or rules.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use memchr::memchr_iter;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;

const BLOCK: usize = 1 << 20;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, engine, path, fallback] = arguments.as_slice() else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "usage: keyword-peer dfa|nfa KEYWORDS FALLBACK",
        ));
    };
    let text = std::fs::read_to_string(path)?;
    let mut endings: Vec<Vec<u8>> = vec![ending(fallback)];
    let mut ending_of: Vec<u16> = Vec::new();
    let mut keywords: Vec<String> = Vec::new();
    for line in text.lines() {
        let Some((keyword, section)) = line.split_once('\t') else {
            continue;
        };
        let ending = ending(section);
        let number = endings
            .iter()
            .position(|known| *known == ending)
            .unwrap_or_else(|| {
                endings.push(ending);
                endings.len() - 1
            });
        keywords.push(keyword.to_ascii_lowercase());
        ending_of.push(number as u16);
    }
    // Byte classes and premultiplied states are the crate's defaults. Keywords and items are lowercased here rather than by
    // `ascii_case_insensitive`, which has a column for each capital letter: a table a quarter larger, and slower by half.
    let automaton = AhoCorasickBuilder::new()
        .match_kind(MatchKind::LeftmostLongest)
        .dfa(engine == "dfa")
        .build_with_size::<u32, _, _>(&keywords)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    categorize(&automaton, &ending_of, &endings)
}

/// What follows the item on its line.
fn ending(section: &str) -> Vec<u8> {
    format!("\t{section}\n").into_bytes()
}

/// Reads blocks, decides each line with one search, and writes a block's results at once.
fn categorize(
    automaton: &AhoCorasick<u32>,
    ending_of: &[u16],
    endings: &[Vec<u8>],
) -> io::Result<()> {
    // Files, not `Stdin` and `Stdout`, which have buffers of their own.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut block = vec![0u8; BLOCK];
    let mut folded = vec![0u8; BLOCK];
    let mut results: Vec<u8> = Vec::with_capacity(4 * BLOCK);
    let mut filled = 0;
    loop {
        let count = input.read(&mut block[filled..])?;
        let end = filled + count;
        folded[filled..end].copy_from_slice(&block[filled..end]);
        folded[filled..end].make_ascii_lowercase();
        let mut decide = |start: usize, end: usize| {
            let ending = automaton
                .find(&folded[start..end])
                .map_or(0, |found| ending_of[found.pattern()]);
            results.extend_from_slice(&block[start..end]);
            results.extend_from_slice(&endings[ending as usize]);
        };
        let mut start = 0;
        // What was left over from the block before has no line end in it.
        for offset in memchr_iter(b'\n', &block[filled..end]) {
            decide(start, filled + offset);
            start = filled + offset + 1;
        }
        if count == 0 && end > start {
            decide(start, end);
        }
        output.write_all(&results)?;
        results.clear();
        if count == 0 {
            return Ok(());
        }
        block.copy_within(start..end, 0);
        folded.copy_within(start..end, 0);
        filled = end - start;
        if filled == block.len() {
            block.resize(2 * filled, 0);
            folded.resize(2 * filled, 0);
        }
    }
}
