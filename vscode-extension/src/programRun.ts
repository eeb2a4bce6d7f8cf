// What `memref-lens run --format json` says of one run, by line of the text.

/** Lines and bytes in them from 1; 0 where the text has no place for it. */
interface Site {
  line: number;
  column: number;
  note: string;
}

interface Fault {
  text: string;
  site: number;
  allocation: number;
  deallocation: number;
}

interface Record {
  version: number;
  verdict: string;
  end: string;
  sites: Site[];
  faults: Fault[];
  contradictions: string[];
}

export interface Place {
  line: number;
  column: number;
}

export interface RunFault {
  text: string;
  /** Where it is; nothing where the text has no place for it. */
  at: Place | undefined;
  related: { at: Place; text: string }[];
}

export interface ProgramRun {
  verdict: string;
  /** False: it could not be run, and the verdict says why. */
  hasRun: boolean;
  /** Counts in words, by line from 1. */
  notes: Map<number, string[]>;
  faults: RunFault[];
  /** What memref-lens claims, and this run shows not to be so. */
  contradictions: string[];
}

/** Nothing where the text is no run's. */
export function programRunIn(output: string): ProgramRun | undefined {
  let record: Record;
  try {
    record = JSON.parse(output) as Record;
  } catch {
    return undefined;
  }
  if (record.version !== 1 || !Array.isArray(record.sites)) return undefined;
  const notes = new Map<number, string[]>();
  for (const { line, note } of record.sites) {
    if (!line || !note) continue;
    const there = notes.get(line) ?? [];
    if (!there.includes(note)) there.push(note);
    notes.set(line, there);
  }
  const placeOf = (site: number): Place | undefined => {
    const found = record.sites[site];
    return found?.line ? { line: found.line, column: found.column } : undefined;
  };
  const faults = record.faults.map(({ text, site, allocation, deallocation }) => {
    const at = placeOf(site) ?? placeOf(allocation);
    const related = [
      { at: placeOf(allocation), text: 'allocated here' },
      { at: placeOf(deallocation), text: 'deallocated here' },
    ].flatMap((one) => (one.at ? [{ at: one.at, text: one.text }] : []));
    return { text, at, related };
  });
  return { verdict: record.verdict, hasRun: record.end !== 'notRun', notes, faults, contradictions: record.contradictions };
}

const mostNotes = 3;

/** The notes of one line, as they stand behind it. */
export function noteLine(notes: readonly string[]): string {
  const more = notes.length - mostNotes;
  return notes.slice(0, mostNotes).join(' · ') + (more > 0 ? ` · ${more} more` : '');
}

/** `n=64 x=8xf32:iota`, as a user types them, as options of the command line. */
export function runArguments(typed: string): string[] {
  return typed.split(/\s+/).filter(Boolean).flatMap((one) => ['--arg', one]);
}

/** What is typed wrong; nothing where all may be right. */
export function argumentProblem(typed: string): string | undefined {
  const wrong = typed.split(/\s+/).filter(Boolean).find((one) => !/^%?[\w.$-]+=\S+$/.test(one));
  return wrong === undefined ? undefined : `'${wrong}' is not NAME=VALUE; for example n=64 or x=16x16xf32:iota`;
}
