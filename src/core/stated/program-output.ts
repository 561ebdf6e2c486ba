/**
 * Lines that compilers, linters, test runners and crashed programs print. Nobody types them, so one of them is enough; each needs a
 * place in a file, a code or a form of its own, because "error handling must not change" is a sentence.
 */
const place = String.raw`[^\s():]+\.\w{1,8}`;
const severity = '(?:fatal error|error|warning|note|info|hint|suggestion)';
const thrown =
  '(?:Type|Reference|Syntax|Range|Assertion|Value|Key|Index|Attribute|Import|ModuleNotFound|Runtime|Name|OS|FileNotFound|ZeroDivision|NotImplemented|Recursion|Unicode(?:De|En)code|NullPointer|IllegalArgument|IllegalState|ClassCast|IndexOutOfBounds|NumberFormat|UnsupportedOperation|ClassNotFound|IO)(?:Error|Exception)';

const forms: readonly string[] = [
  // tsc, csc, msvc: src/a.ts(41,7): error TS2322: …
  String.raw`${place}\(\d+(?:,\d+){0,3}\)\s?:\s`,
  // tsc on a terminal: src/a.ts:41:7 - error TS2322: …
  String.raw`${place}:\d+(?::\d+)?\s+-\s+${severity}\b`,
  // gcc, clang, go, mypy, ruff, javac: src/a.c:41:7: error: …
  String.raw`(?:[A-Za-z]:)?${place}:\d+(?::\d+)?:`,
  String.raw`(?:GNU)?[Mm]akefile:\d+:|make(?:\[\d+\])?: \*\*\*`,
  // clang: error: …, ld: warning: …
  String.raw`(?:clang|gcc|g\+\+|cc1?|ld|collect2|rustc|cargo|javac|swiftc|tsc|go|mypy|ruff|eslint)(?:\+\+)?: ${severity}: `,
  // error TS2322: …, error[E0382]: …, warning C4996: …
  String.raw`${severity}(?:\[\w+\]:|\s+[A-Z]{1,6}\d{2,6}:)`,
  // rustc, new ruff
  String.raw`-->\s+\S+:\d+`,
  String.raw`=\s(?:note|help|warning):`,
  // eslint: 12:5  error  …
  String.raw`\d+:\d+\s+(?:error|warning)\s`,
  String.raw`✖\s\d+ problem`,
  // jest
  String.raw`●\s.{1,200}\s›\s`,
  // traces of node, java and .NET
  String.raw`at\s[^()]{1,200}\((?:[^()\s]+:\d+(?::\d+)?|native|Native Method|Unknown Source|<anonymous>)\)\s*$`,
  String.raw`at\s(?:async\s)?[^()\s]+:\d+:\d+\s*$`,
  String.raw`at\s.{1,300}\sin\s.{1,300}:line \d+`,
  String.raw`Caused by:\s+[\w.$]+(?:Exception|Error)\b`,
  String.raw`\.\.\. \d+ (?:more|common frames omitted)`,
  'Exception in thread "',
  String.raw`(?:Uncaught\s+(?:\(in promise\)\s+)?)?(?:[\w$]+\.)*${thrown}(?:\s\[\w+\])?:\s`,
  String.raw`panic:\s|goroutine \d+ \[|thread '.{1,80}' panicked at`,
  String.raw`(?:PHP )?(?:Fatal|Parse) error:\s`,
  // python
  String.raw`Traceback \(most recent|File ".+", line \d`,
  // pytest, unittest
  String.raw`(?:FAILED|PASSED|ERROR|SKIPPED|XFAIL|XPASS)\s+\S+(?:::\S+|\.py\b)`,
  String.raw`\S+\.py::\S+`,
  String.raw`={3,} .{1,200} ={3,}\s*$|_{3,} .{1,200} _{3,}\s*$`,
  String.raw`E {3,}\S`,
  'npm (?:ERR!|error )',
];

const output = new RegExp(String.raw`^\s*(?:${forms.join('|')})`);

export function isOutput(line: string): boolean {
  return output.test(line);
}
