import type { Fleet } from '../../fan-out/fleet.ts';
import { LineCutter, type LinePiece } from '../../lines/line-cutter.ts';
import { LineOutput } from '../../lines/line-output.ts';
import type { Session } from '../../session.ts';
import { type Colours, chooseColours } from '../../text/colour.ts';
import { printableLine, printableLogLine } from '../../text/printable.ts';

/** Where what a program prints on one stream goes. */
export interface LineWriter {
  readonly write: (chunk: Buffer) => Promise<void>;
  /** Ends the line that has no end. */
  readonly end: () => Promise<void>;
}

/** Both streams of the program that runs on a cluster. */
export interface ClusterLines {
  readonly out: LineWriter;
  readonly err: LineWriter;
}

/**
 * Writes lines of many clusters, none in the middle of another, each behind the name of its cluster, which end at the
 * same column. What a terminal would obey is shown there, but for colours.
 */
export function prefixedLines(
  { clusters }: Fleet,
  { io, settings }: Pick<Session, 'io' | 'settings'>,
): (cluster: string) => ClusterLines {
  const { clock, terminal } = io;
  const shown = new Map(clusters.map(({ cluster: { name } }) => [name, printableLine(name)]));
  const width = Math.max(0, ...[...shown.values()].map((name) => [...name].length));
  const colours = chooseColours(settings.output.color, io);
  const writeOut = io.outBytes ?? ((bytes: Uint8Array) => io.out(Buffer.from(bytes).toString()));
  const out = new LineOutput({ clock, write: writeOut });
  const err = new LineOutput({ clock, write: async (bytes) => io.err(bytes.toString()) });
  const prefixOf = (name: string, { cluster }: Colours): string => {
    const text = shown.get(name) ?? name;
    const padding = ' '.repeat(Math.max(0, width - [...text].length));
    return `${padding}${cluster(name, text)} | `;
  };
  return (name) => ({
    out: lineWriter(out, prefixOf(name, colours.out), terminal.out),
    err: lineWriter(err, prefixOf(name, colours.err), terminal.err),
  });
}

function lineWriter(output: LineOutput, prefix: string, isForTerminal: boolean): LineWriter {
  const cutter = new LineCutter();
  const source = { prefix: Buffer.from(prefix) };
  const fit = (piece: LinePiece): LinePiece =>
    isForTerminal
      ? { ...piece, bytes: Buffer.from(printableLogLine(piece.bytes.toString())) }
      : piece;
  return {
    write: async (chunk) => await output.put(source, cutter.push(chunk).map(fit)),
    end: async () => {
      const rest = cutter.rest();
      if (rest !== undefined) await output.put(source, [fit({ ...rest, isEnd: true })]);
      output.end(source);
    },
  };
}
