//! The peer of the benchmark: items on standard input, `item<TAB>section` on standard output, by keywords alone.
//!
//! `keyword-peer KEYWORDS FALLBACK [dfa|nfa] [classes|bytes] [premultiplied|plain]`; KEYWORDS has `keyword<TAB>section` lines.
//! The leftmost-longest keyword decides, letter case aside; there are no word boundaries, plurals or rules.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use memchr::memchr_iter;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;

const BLOCK: usize = 1 << 20;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&arguments[1])?;
    let option = |name: &str| arguments[3..].iter().any(|argument| argument == name);

    let mut sections: Vec<Vec<u8>> = vec![ending(&arguments[2])];
    let mut section_of: Vec<u16> = Vec::new();
    let mut keywords: Vec<&str> = Vec::new();
    for line in text.lines() {
        let Some((keyword, section)) = line.split_once('\t') else { continue };
        let ending = ending(section);
        let number = sections.iter().position(|known| *known == ending).unwrap_or_else(|| {
            sections.push(ending);
            sections.len() - 1
        });
        keywords.push(keyword);
        section_of.push(number as u16);
    }
    let automaton = AhoCorasickBuilder::new()
        .match_kind(MatchKind::LeftmostLongest)
        .ascii_case_insensitive(true)
        .dfa(!option("nfa"))
        .byte_classes(!option("bytes"))
        .premultiply(!option("plain"))
        .build_with_size::<u32, _, _>(&keywords)
        .expect("the automaton has more states than 32 bits can number");
    if option("size") {
        eprintln!("{} bytes of automaton", automaton.heap_bytes());
    }
    categorize(&automaton, &section_of, &sections)
}

/// What follows the item on its line.
fn ending(section: &str) -> Vec<u8> {
    format!("\t{section}\n").into_bytes()
}

/// Reads blocks, decides each line with one search, and writes a block's results at once.
fn categorize(automaton: &AhoCorasick<u32>, section_of: &[u16], sections: &[Vec<u8>]) -> io::Result<()> {
    // Files, not `Stdin` and `Stdout`, which have buffers of their own.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut block = vec![0u8; BLOCK];
    let mut results: Vec<u8> = Vec::with_capacity(4 * BLOCK);
    let mut filled = 0;
    let decide = |item: &[u8], results: &mut Vec<u8>| {
        let section = automaton.find(item).map_or(0, |found| section_of[found.pattern()]);
        results.extend_from_slice(item);
        results.extend_from_slice(&sections[section as usize]);
    };
    loop {
        let count = input.read(&mut block[filled..])?;
        let end = filled + count;
        let mut start = 0;
        // What was left of the block before has no line end in it.
        for offset in memchr_iter(b'\n', &block[filled..end]) {
            decide(&block[start..filled + offset], &mut results);
            start = filled + offset + 1;
        }
        if count == 0 && end > start {
            decide(&block[start..end], &mut results);
        }
        output.write_all(&results)?;
        results.clear();
        if count == 0 {
            return output.flush();
        }
        block.copy_within(start..end, 0);
        filled = end - start;
        if filled == block.len() {
            block.resize(2 * filled, 0);
        }
    }
}
