import { sanitize } from '../../core/base/sanitize.ts';

export interface TranscriptWriter {
  write(bytes: Uint8Array): string;
  /** Closes the last line, if one is open. */
  end(): string;
}

const margin = '    │ ';

/** A transcript with a margin, made safe, piece by piece: neither a character nor a line ends where a piece does. */
export function transcriptWriter(): TranscriptWriter {
  const decoder = new TextDecoder('utf-8');
  let open = false;
  const lines = (text: string): string => {
    if (text === '') return '';
    const [first = '', ...rest] = sanitize(text).split('\n');
    const begun = open ? first : `${margin}${first}`;
    const last = rest.at(-1);
    open = last !== '';
    const whole = last === '' ? rest.slice(0, -1) : rest;
    return `${[begun, ...whole.map((line) => `${margin}${line}`)].join('\n')}${last === '' ? '\n' : ''}`;
  };
  return {
    write: (bytes) => lines(decoder.decode(bytes, { stream: true })),
    end() {
      const rest = lines(decoder.decode());
      const closing = open ? '\n' : '';
      open = false;
      return `${rest}${closing}`;
    },
  };
}
