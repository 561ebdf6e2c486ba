/**
 * Which lines of a message somebody pasted: logs, traces, diffs, tables, code. Only `sure` signs stand alone. A line with `perhaps`
 * signs, such as "warning:" or a date at its beginning, may as well be typed: it counts as pasted among other such lines, and
 * as typed where it reads like a sentence or is alone in its paragraph.
 */
import { isOutput } from './program-output.ts';

const lineCharsMax = 2000;
const wordCharsMax = 200;

const sure =
  /^\s*(?:Traceback|File ".+", line \d|npm (?:ERR|WARN|error|warn)|[$%#>❯]\s|[+-]{3}\s|@@ |[{}[\]()]+[,;]?\s*$|[{[]\s*"|[|+][-=|+ ]|\|.*\|\s*$|(?:const|let|var|function|class|return|export|public|private|if|for|while)\s.*[{;(=]\s*$|def\s.*:\s*$|\/\/|\/\*|\* |#include|✓|✗|✔|×|not ok \d|E\s{2,}|\[\s*\d+\.\d+\]|\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|\w{3} [ \d]\d \d\d:\d\d|\[(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\]|\S+\.\w{1,5}:\d+(?::\d+)?:|\S+\.\w{1,5}\(\d+,\d+\):|-->\s\S+:\d|(?:\S+:? )?\S+\.\w{1,5}:\d+:\d+\s+(?:error|warning|info|note)\b|\d+:\d+\s+(?:error|warning)\s|[a-z][\w.-]{0,30}\[\d+\]:|[a-z][\w-]{1,30}\s*\|\s|<!--|"""|SELECT\s.*;\s*$|from\s+[\w.]+\s+import\s)|\blevel=/;
/** Code with a comment behind it. */
const commented = /[;{})]\s*(?:\/\/|#|--)\s/;
const perhaps =
  /^\s*(?:at\s.{1,200}\(|at\s\S+:\d+|\S+(?:Error|Exception)\b(?::|$)|"[^"]{1,80}"\s*:|import\s.+from\s|<\/?[a-z]+[^>]*>|PASS\b|FAIL\b|ok \d|warning:|error(?:\[\w+\])?:|fatal:|remote:|\[?\d{4}-\d\d-\d\d|\[?\d\d\/\d\d\/\d{2,4}|\S+\.\w{1,5}:\d+(?::\d+)?\s|\d+\s*[|:│]\s|--\s|import\s+[\w.]+;?\s*$)|\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\b\]?[:\s]/;

/** Lines without any of these are words. Most lines are, and need no further look. */
const suspect = /[{}[\]()|=<>$@#%;:"+/*\d✓✗✔×❯✖●]|[A-Z]{4}|___|^\s*(?:npm |-- |import |from )/;

type Look = 'typed' | 'perhaps' | 'pasted';

function lookOf(line: string): Look {
  if (line.length > lineCharsMax && line.split(' ').some((word) => word.length > wordCharsMax))
    return 'pasted';
  if (!suspect.test(line)) return 'typed';
  if (sure.test(line) || commented.test(line) || isOutput(line)) return 'pasted';
  if (perhaps.test(line)) return 'perhaps';
  if (line.length < 24) return /[;{}]\s*$/.test(line) ? 'pasted' : 'typed';
  let letters = 0;
  for (let i = 0; i < line.length; i += 1) {
    const code = line.charCodeAt(i) | 32;
    if ((code >= 97 && code <= 122) || code === 32 || code > 127) letters += 1;
  }
  return letters < line.length * 0.7 ? 'perhaps' : 'typed';
}

/** A line of code, a log or a diff; no table, for that may well stand below a heading. */
export function isCode(line: string): boolean {
  return line.trim() !== '' && !/^\s*\|/.test(line) && lookOf(line) !== 'typed';
}

const plainWord = /^["'(“]?\p{L}[\p{L}'’-]+[)"'”]?[,.;:!?]*$/u;

function plainWords(line: string): number {
  return line.split(/\s+/).filter((word) => plainWord.test(word)).length;
}

/** Words with a stop at their end. */
function isSentence(line: string): boolean {
  return /[.!?][)"'”’]*\s*$/.test(line) && plainWords(line) >= 4;
}

/** What somebody says of what they pasted, in the line before it or after it. */
const remark =
  /^(?:(?:ok(?:ay)?|and|but|so|now|also|hey|hi|note|nb|ps|btw|important|remember|auch|außerdem|wichtig|aussi|además|anche|inoltre)[,:]?\s+)*(?:never|always|don['’]t|do not|keep|avoid|stay|only|nie(?:mals)?|nicht|immer|jamais|toujours|nunca|siempre|mai|sempre|please|pls|plz|can|could|would|will|fix|solve|resolve|repair|correct|mend|address|handle|look|check|explain|debug|investigate|find|make|get|help|why|what|how|where|which|who|is|are|i|i['’]m|we|you|this|these|those|both|getting|got|here|still|when|ignore|skip|leave)\b[^{}<>|=;\\]*$/i;

/** A request in plain words and without a stop. */
const asks =
  /^\s{0,3}(?:please|pls|plz|can|could|would|will you|any (?:idea|clue|thoughts?|hints?)|why|what|how|fix|make|help|get|solve|resolve|clean|correct|repair|mend|look|see|check|explain|find|debug|sort|deal|handle|address|do|bitte|behebe?|mach|kannst|warum|wieso|was|corrige|répare|peux|pourquoi|arregla|puedes|por|sistema|correggi|puoi|perché|per favore)\b/i;

function isRemark(line: string, look: Look | undefined): boolean {
  return (
    look === 'typed' && plainWords(line) >= 2 && (remark.test(line) || asks.test(line) || /\?\s*$/.test(line))
  );
}

export interface Parted {
  readonly typed: readonly string[];
  readonly pasted: readonly string[];
}

/**
 * A paragraph, parted. Where two of its lines look pasted all between them is, and what stands before and after if it is no sentence.
 * `surely` parts off only what cannot be typed.
 */
export function partPasted(lines: readonly string[], { surely = false } = {}): Parted {
  const looks = lines.map(lookOf);
  const isBlock = looks.includes('pasted');
  const isOut = lines.map((line, i) => {
    if (looks[i] !== 'perhaps') return looks[i] === 'pasted';
    if (surely) return false;
    return isBlock || (!isSentence(line) && (lines.length > 1 || plainWords(line) < 2));
  });
  const out = isOut.filter(Boolean).length;
  if (out === 0 || (out === 1 && lines.length > 1 && !isBlock)) return { typed: lines, pasted: [] };
  if (out >= 2 || out * 2 >= lines.length) {
    const [first, last] = [isOut.indexOf(true), isOut.lastIndexOf(true)];
    for (const [i, line] of lines.entries())
      if ((i > first && i < last) || !(isSentence(line) || isRemark(line, looks[i]) || /:\s*$/.test(line)))
        isOut[i] = true;
  }
  // What a message of a program goes on with is indented below it.
  for (const [i, line] of lines.entries())
    if (i > 0 && isOut[i - 1] === true && /^\s{2,}\S/.test(line)) isOut[i] = true;
  return {
    typed: lines.filter((_, i) => isOut[i] !== true),
    pasted: lines.filter((_, i) => isOut[i] === true),
  };
}
