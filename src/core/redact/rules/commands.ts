/** Passwords that are given to commands: as an option of one letter, or through a pipe. */
import { spaceGlance } from '../scan/glance.ts';
import { isJumble, isMixed, isStandIn } from '../plausible.ts';
import { patternRule, type SecretRule } from '../rule.ts';

/** To white space or a sign of the shell; between quotes, anything. */
const word = `(?:(?<=["'])[^"'\\r]{1,256}|[^ \\t\\r"'|;&]{4,})`;

/** Commands that read a password where others read text. */
const reader = `(?:--[a-z-]{0,24}stdin|sudo[ \\t]{1,4}(?:-[A-Za-z]{1,6}[ \\t]{1,4}){0,3}-[A-Za-z]{0,4}S|--passphrase-fd|--with-token|chpasswd)(?![\\w-])`;

export const commandRules: readonly SecretRule[] = [
  patternRule(
    'curl-password',
    ['curl'],
    `(curl[ \\t](?:[^\\r]{0,512}?[ \\t])?(?:-[A-Za-z]{0,6}[uU][ \\t]{0,4}|--(?:proxy-)?user[ \\t=][ \\t]{0,3})["']?[^ \\t\\r:/"']{1,128}:)((?!//)[^ \\t\\r"']{1,})`,
    { glance: spaceGlance, quoted: true, accept: isGiven },
  ),
  patternRule(
    'sshpass-password',
    ['sshpass'],
    `(sshpass[ \\t]{1,4}(?:-[a-zA-Z]{1,4}[ \\t]{1,4}){0,2}-p[ \\t]{0,4}["']?)(${word})`,
    { glance: spaceGlance, quoted: true, accept: isGiven },
  ),
  // Without a space after the letter, as these want it.
  patternRule(
    'mysql-password',
    ['mysql', 'mariadb'],
    `(?<![\\w.-])((?:mysql|mariadb)[a-z_-]{0,16}(?:\\.exe)?[ \\t](?:[^|;&\\r]{0,256}?[ \\t])?-p["']?)(${word})`,
    {
      quoted: true,
      accept: (password) =>
        isGiven(password) &&
        /[A-Za-z]/.test(password) &&
        (/[^A-Za-z_-]/.test(password) || isJumble(password)),
    },
  ),
  patternRule(
    'redis-password',
    ['redis-cli'],
    `(redis-cli[ \\t](?:[^|;&\\r]{0,256}?[ \\t])?(?:-a|--pass)[ \\t]{1,4}["']?)(${word})`,
    { glance: spaceGlance, quoted: true, accept: isChosen },
  ),
  // docker, podman, helm registry, oc and others.
  patternRule(
    'login-password',
    ['login'],
    `(login[ \\t](?:[^|;&\\r]{0,256}?[ \\t])?-p[ \\t]{0,4}["']?)(${word})`,
    {
      glance: spaceGlance,
      quoted: true,
      accept: (password) =>
        isGiven(password) &&
        /[A-Za-z]/.test(password) &&
        (/[^A-Za-z_-]/.test(password) || isJumble(password)),
    },
  ),
  patternRule(
    'piped-password',
    ['echo', 'printf'],
    `((?:echo|printf)[ \\t]{1,4}(?:-[neE]{1,3}[ \\t]{1,4})?(?:["']?%s(?:\\\\{1,2}n)?["']?[ \\t]{1,4})?\\\\?["']?)([^ \\t\\r"'|;&\\\\]{4,})(?=\\\\?["']?[ \\t]{0,4}\\|[ \\t]{0,4}[^|;\\r]{0,256}?${reader})`,
    { glance: spaceGlance, quoted: true, accept: isGiven },
  ),
  patternRule(
    'piped-password',
    ['stdin'],
    `(stdin[^|;&\\r<]{0,128}<<<[ \\t]{0,4}\\\\?["']?)([^ \\t\\r"'|;&\\\\]{4,})`,
    { glance: spaceGlance, quoted: true, accept: isGiven },
  ),
];

function isChosen(password: string): boolean {
  return (isMixed(password) || isJumble(password)) && isGiven(password);
}

function isGiven(password: string): boolean {
  return password.length >= 4 && !isStandIn(password);
}
