/** Secrets as they are typed: in commands, connection strings, queries and lines of settings, without a quote and in lower case. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
/** What is written as its name in braces below. In pieces, so that nothing in this file is a secret. */
const secrets: Readonly<Record<string, string>> = {
  fruit: ['Mulberry', '1122'].join(''),
  token: ['Guava', '2299', 'xkqwzz'].join(''),
  sign: ['Mul', '!berry'].join(''),
  short: ['hunter', '2x'].join(''),
  word: ['correct', 'horse'].join(''),
};

function filled(text: string): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => secrets[name] ?? whole);
}

async function redacted(text: string): Promise<string> {
  const { value } = await redactor.text(text);
  expect((await redactor.text(value)).value).toBe(value);
  return value.replaceAll(/\[redacted:[a-z0-9-]+:[0-9a-f]{12}\]/g, 'X');
}

describe('found', () => {
  test.each([
    // Connection strings.
    'psql "host=x user=bob password={fruit} dbname=y"',
    "psql 'host=x user=bob password={word} dbname=y'",
    'dsn = "user=bob password={sign} host=/tmp"',
    'Driver=ODBC;Server=y;UID=bob;PWD={fruit};',
    'Server=y;Uid=bob;Pwd={word};',
    'jdbc:sqlserver://h:1433;databaseName=x;user=sa;password={fruit};encrypt=true',
    'jdbc:mysql://h/db?user=a&password={fruit}',
    'Endpoint=x;AccountName=y;Password={fruit}',
    // Commands.
    'vault kv put secret/db password={fruit}',
    'kubectl create secret generic s --from-literal=password={fruit}',
    'kubectl create secret generic s --from-literal=db-password={short} --from-literal=user=bob',
    'ansible-playbook x.yml -e db_pass={fruit}',
    'ansible-playbook x.yml -e "db_pass={fruit} other=1"',
    'helm install x y --set auth.password={fruit}',
    'helm install x y --set auth.password={fruit},auth.user=bob',
    'helm install x y --set auth.user=bob,auth.password={short}',
    'java -Dspring.datasource.password={fruit} -jar x.jar',
    'mount -t cifs //h/s /mnt -o username=bob,password={fruit},uid=1000',
    'http POST x.test user=bob password={short}',
    'curl -d user=bob -d password={sign} https://x.test',
    'curl --data "grant_type=x&client_secret={token}" https://x.test',
    'client_secret={token}',
    'pg_password={fruit} pg_user=bob',
    'run --env dbpassword={fruit}',
    'connect pw={fruit}',
    // Queries, settings, dumps of objects.
    'GET /login?user=a&password={fruit}&x=1',
    'https://x.test/login?password={fruit}',
    'user=a&pass={fruit}&x=1',
    'spring.datasource.password={fruit}',
    'db.password={short}',
    '+smtp_pass={fruit}',
    'password: {fruit}',
    '  db_password: {fruit}',
    'User(name=bob, password={fruit})',
    'Config{user=bob, password={fruit}, port=1}',
    // Programs with a way of their own.
    'openssl rsa -in k.pem -passin pass:{fruit}',
    'openssl rsa -passin pass:{fruit} -passout pass:{short}',
    'openssl rsa -passin env:OLD_PASS -passout pass:{short}',
    'openssl enc -aes-256-cbc -k {fruit} -in x',
    'openssl aes-256-cbc -d -k {fruit}',
    'keytool -genkey -storepass {fruit} -keypass {short}',
    "ssh-keygen -t ed25519 -f k -N '{fruit}'",
    'zip -P {fruit} x.zip y',
    'zip -rP {fruit} x.zip y',
    'unzip -P {fruit} x.zip',
    '7z a -p{fruit} x.7z y',
    'smbclient -U bob%{fruit} //h/s',
    "smbclient //h/s -U 'bob%{fruit}'",
    'smbclient //h/s {fruit} -U bob',
    'lftp -u bob,{fruit} sftp://h',
    'ldapsearch -x -s base -D cn=bob -w {fruit} -b dc=x',
    'mongosh -u bob -p {fruit} --host h',
    'sqlcmd -S h -U sa -P {fruit}',
    'sqlplus bob/{fruit}',
    'htpasswd -bc f bob {fruit}',
    'nmcli dev wifi connect home password {fruit}',
    'rabbitmqctl add_user bob {fruit}',
    'gh secret set NAME --body {fruit}',
    'aws secretsmanager create-secret --name x --secret-string {fruit}',
    'net user bob {fruit} /add',
    'requirepass {fruit}',
    "CREATE USER bob IDENTIFIED BY '{fruit}';",
    "ALTER USER 'bob'@'%' IDENTIFIED WITH mysql_native_password BY '{word}';",
    'create user bob identified by {fruit};',
    'mysql -e "CREATE USER bob IDENTIFIED BY \'{fruit}\'"',
  ])('%s', async (text) => {
    const outcome = text.replaceAll(/\{(?:fruit|token|sign|short|word)\}/g, 'X');
    expect(await redacted(filled(text))).toBe(outcome);
    const inJson = JSON.stringify({ command: filled(text) });
    expect(await redacted(inJson)).toBe(JSON.stringify({ command: outcome }));
  });
});

describe('left', () => {
  test.each([
    'password=password',
    'password=password2',
    'connect(user=user, password=os.environ["DB_PASSWORD"])',
    'connect(user=user, password=db_password1)',
    'connect(host=host1, password=pass1word, port=1)',
    '        password=self.password2,',
    '        password=new_password_2',
    'e.password=t2.password,n.token=r3',
    'if(a.password==b2c3d4e5)',
    'psql "host=x user=postgres password=postgres dbname=y"',
    'psql "host=x user=bob password=$PASSWORD dbname=y"',
    'psql "host=x user=bob password=secret dbname=y"',
    'GET /login?user=a&password=…&x=1',
    'GET /login?password=<password>&token={token1}',
    'kubectl create secret generic s --from-literal=password=$(cat pw1)',
    'kubectl get secret=db-credentials-v2',
    'vault kv put secret/db password=@pw',
    'password=string1',
    'password=base64(x1)',
    'password=getPassword2()',
    'bypass=cache2disk',
    'compass=north2west',
    'first_pass=render2d',
    '  password: Uint8Array',
    ['  password: Argon2', 'Hash'].join(''),
    '  password: string2',
    'PWD=/home/ada1;USER=bob',
    'openssl rsa -passin env:KEY_PASS1',
    'openssl rsa -passin pass:$KEY_PASS',
    'openssl s_client -k x',
    'zip -r x.zip y1',
    'zip -P "$ZIP_PASS1" x.zip y1',
    'unzip -p x.zip file1.txt',
    'smbclient -U bob //h/s1',
    'ssh-keygen -t ed25519 -N "" -f key1234',
    'mongo -p 27017',
    'The user is identified by the number1 of',
    "identified by 'your-password'",
    'IDENTIFIED BY PASSWORD',
    'net user bob /add',
    'requirepass is not set',
    'docker run -e MODE=x image -p 8080:80',
  ])('%s', async (text) => {
    expect(await redacted(text)).toBe(text);
  });
});
