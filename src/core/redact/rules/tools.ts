/**
 * Passwords that are given to programs in a way of their own:
 *
 *   openssl … -passin pass:…    openssl enc -k …    keytool -storepass …    ssh-keygen -N …    zip -P …    7z a -p…
 *   smbclient -U bob%…    lftp -u bob,…    ldapsearch -w …    mongosh -p …    sqlcmd -P …    sqlplus bob/…@db    htpasswd -b f bob …
 *   ConvertTo-SecureString "…"    nmcli … password …    gh secret set NAME -b …    aws … --secret-string …    IDENTIFIED BY '…'    requirepass …
 *
 * A command names its program first, so the program is the anchor. What follows the option has to look chosen: an option of one letter
 * means something else in many programs.
 */
import { spaceGlance } from '../scan/glance.ts';
import { isDrawn, isJumble, isMixed, isStandIn } from '../plausible.ts';
import { patternRule, type SecretRule } from '../rule.ts';

const id = 'command-password';
/** To white space or a sign of the shell; between quotes, anything. */
const word = `(?:(?<=["'])[^"'\\r]{1,256}|[^ \\t\\r"'\`|;&<>]{4,})`;
/** Where nothing else follows, the signs of a shell mean nothing. */
const toEnd = `[^ \\t\\r"'\`<][^ \\t\\r]{3,255}(?=[ \\t\\r]*$)`;
const gap = '[ \\t]{1,4}';
/** Words between the program and the option, on one side of a pipe. */
const between = '[ \\t](?:[^|;&\\r]{0,256}?[ \\t])?';
/** A quote may be escaped where the command is itself a string. */
const quote = `\\\\?["'\`]?`;

/** A value that is none: what stands behind it is looked at instead. */
const noValue = '(?!\\[redacted:|\\$[A-Z({]|(?:env|file|fd):|<)';

interface Tool {
  readonly anchors: readonly string[];
  /** The program and, if it says more than that, what of the command comes with it, as a pattern. */
  readonly program: string;
  /** What stands right before the password. */
  readonly lead: string;
  /** Nothing comes between the two. */
  readonly isNext?: true;
}

const tools: readonly Tool[] = [
  { anchors: ['openssl'], program: 'openssl', lead: `-pass(?:in|out|word)?${gap}${quote}pass:` },
  {
    anchors: ['openssl'],
    program: `openssl${gap}(?:enc|aes|des|camellia|chacha)[a-z0-9-]{0,16}`,
    lead: `-[kK]${gap}`,
  },
  { anchors: ['openssl'], program: `openssl${gap}passwd`, lead: `-(?:1|5|6|apr1)${gap}` },
  {
    anchors: ['keytool', 'jarsigner', 'apksigner'],
    program: '(?:keytool|jarsigner|apksigner)',
    lead: `-{1,2}[a-z]{0,12}-?pass${gap}(?:${quote}pass:)?`,
  },
  { anchors: ['ssh-keygen'], program: 'ssh-keygen', lead: `-[A-Za-z]{0,4}[NP][ \\t]{0,4}` },
  { anchors: ['zip ', 'unzip '], program: '(?:un)?zip', lead: `-[A-Za-z]{0,6}P[ \\t]{0,4}` },
  { anchors: ['7z ', '7za ', '7zr ', '7zz '], program: '7z[arz]?', lead: '-p' },
  { anchors: ['rar ', 'unrar '], program: '(?:un)?rar', lead: '-h?p' },
  {
    anchors: ['smbclient', 'rpcclient', 'smbget', 'smbcacls', 'winexe', 'net ads', 'net rpc'],
    program: '(?:smbclient|rpcclient|smbget|smbcacls|winexe|net (?:ads|rpc))',
    lead: `(?:-U[ \\t]{0,4}|--user[ \\t=]{1,4})${quote}[^ \\t\\r%"']{1,64}%`,
  },
  {
    anchors: ['smbclient'],
    program: 'smbclient',
    lead: `${gap}${quote}//[^ \\t\\r"']{1,128}["']?${gap}(?!-)`,
    isNext: true,
  },
  { anchors: ['lftp'], program: 'lftp', lead: `(?:-u${gap}|--user[ \\t=]{1,4})${quote}[^ \\t\\r,"']{1,64},` },
  {
    anchors: ['ldap'],
    program: 'ldap(?:search|modify|add|delete|passwd|whoami|compare|modrdn)',
    lead: `-[A-Za-z]{0,4}w[ \\t]{0,4}`,
  },
  { anchors: ['ldappasswd'], program: 'ldappasswd', lead: `-[as][ \\t]{0,4}` },
  {
    anchors: ['mongo'],
    program: 'mongo(?:sh|dump|restore|export|import|stat|top)?',
    lead: `-p[ \\t]{0,4}`,
  },
  {
    anchors: ['sqlcmd', 'bcp ', 'tsql ', 'ipmitool'],
    program: '(?:sqlcmd|bcp|tsql|ipmitool)',
    lead: `-P[ \\t]{0,4}`,
  },
  {
    anchors: ['sqlplus', 'expdp', 'impdp', 'sqlldr'],
    program: '(?:sqlplus|expdp|impdp|sqlldr)',
    lead: `${quote}[\\w$#.]{1,64}/(?!/)`,
  },
  {
    anchors: ['htpasswd'],
    program: 'htpasswd',
    lead: `-[A-Za-z]{0,6}b[A-Za-z]{0,6}${gap}(?:[^ \\t\\r]{1,256}${gap})?[^ \\t\\r]{1,128}${gap}`,
  },
  { anchors: ['nmcli'], program: 'nmcli', lead: `(?:password|[a-z0-9-]{0,32}\\.psk)${gap}` },
  { anchors: ['mysqladmin'], program: 'mysqladmin', lead: `password${gap}` },
  {
    anchors: ['rabbitmqctl'],
    program: 'rabbitmqctl',
    lead: `(?:add_user|change_password|authenticate_user)${gap}[^ \\t\\r]{1,128}${gap}`,
  },
  {
    anchors: ['xfreerdp', 'rdesktop', 'cmdkey', 'psexec'],
    program: '(?:xfreerdp|rdesktop|cmdkey|psexec)',
    lead: `(?:/p(?:ass)?:|-p${gap})`,
  },
  { anchors: ['secret set'], program: 'secret set', lead: `(?:-b${gap}|--body[ \\t=]{1,4})` },
  { anchors: ['--secret-string'], program: '--secret-string', lead: '[ \\t=]{1,4}', isNext: true },
  { anchors: ['net user'], program: 'net user', lead: `${gap}[^ \\t\\r]{1,128}${gap}(?!/)`, isNext: true },
  {
    anchors: ['ConvertTo-SecureString', 'convertto-securestring'],
    program: '[Cc]onvert[Tt]o-[Ss]ecure[Ss]tring',
    lead: `${gap}(?:-String${gap})?`,
    isNext: true,
  },
  {
    anchors: ['requirepass', 'masterauth'],
    program: '(?:requirepass|masterauth)',
    lead: gap,
    isNext: true,
  },
];

export const toolRules: readonly SecretRule[] = [
  ...tools.map(({ anchors, program, lead, isNext = false }) =>
    patternRule(
      id,
      anchors,
      `(?<![\\w-])(${program}${isNext ? '' : between}${lead}${quote})(${noValue}(?:${isNext ? `${toEnd}|` : ''}${word}))`,
      { quoted: true, accept: isChosen },
    ),
  ),
  patternRule(
    'sql-password',
    ['identified'],
    `(identified${gap}(?:with${gap}[\\w"'\`]{1,64}${gap})?(?:by|as)${gap}(?:password${gap})?\\\\?["'])([^"'\\r]{1,256})`,
    {
      fold: true,
      glance: spaceGlance,
      quoted: true,
      accept: (password) => password.length >= 4 && !isStandIn(password) && isWritten(password),
    },
  ),
  patternRule('sql-password', ['identified'], `(identified${gap}by${gap})([A-Za-z][\\w$#]{5,64})`, {
    fold: true,
    glance: spaceGlance,
    accept: isChosen,
  }),
];

/** Not what a comment says in quotes. */
function isWritten(password: string): boolean {
  return /[ \t]/.test(password) ? isDrawn(password) : !/^[a-z]{1,8}$/.test(password);
}

function isChosen(password: string): boolean {
  return (
    password.length >= 4 &&
    (isMixed(password) || isJumble(password) || /[A-Za-z][!#$%^?~@]+[A-Za-z]/.test(password)) &&
    !isStandIn(password)
  );
}
