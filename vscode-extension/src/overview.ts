// What `memref-lens --format=json FILE` says of one file: its causes, ranked by
// what their tested remedies gain.

export interface Fix {
  remedy: string;
  gain: string;
  commands: string[];
  /** The same as calls of a pass manager in C++. */
  code: string[];
}

/** Lines and UTF-16 columns from 1; 0 where there is no place. */
export interface Entry {
  sentence: string;
  line: number;
  column: number;
  costs: string;
  fixes: Fix[];
  advice: string;
  places: { line: number; column: number; message: string }[];
}

export interface Overview {
  /** Of bufferization; empty or missing where it did not run. */
  tensors?: string;
  counts: string;
  peak: string;
  /** That upstream's analysis takes long; empty or missing where it does not. */
  slow?: string;
  entries: Entry[];
}

interface Place {
  line: number;
  column: number;
  utf16Column?: number;
}

/** Of one file. */
export interface Report {
  unreadable?: boolean;
  overview?: Omit<Overview, 'entries'> & { entries: (Omit<Entry, 'places'> & { causes: number[] })[] };
  findings?: { cause: number; message: string; place: Place }[];
}

/** Nothing where the file could not be read. */
export function overviewIn(output: string): Overview | undefined {
  try {
    return overviewOf((JSON.parse(output) as { files?: Report[] }).files?.[0]);
  } catch {
    return undefined;
  }
}

/** Nothing where the file could not be read. */
export function overviewOf(report: Report | undefined): Overview | undefined {
  if (!report?.overview || report.unreadable) return undefined;
  const behind = new Map<number, Entry['places']>();
  for (const { cause, message, place } of report.findings ?? []) {
    const places = behind.get(cause) ?? [];
    places.push({ line: place.line, column: place.utf16Column || place.column, message });
    behind.set(cause, places);
  }
  const { counts, peak, entries } = report.overview;
  return { counts, peak, entries: entries.map(({ causes, ...entry }) => ({ ...entry, places: causes.flatMap((cause) => behind.get(cause) ?? []) })) };
}
