import type { Request } from '../../core/request/request.ts';
import { PASSWORD_LEAST, PASSWORD_MOST } from '../../core/secret/password.ts';
import { translate } from '../../core/text/translate.ts';
import { findHashes } from '../../model/field/password-hashes.ts';
import type { Context } from '../../plan/feature.ts';
import { EMPTY, MISMATCH } from './errors.ts';

/** The most common passwords of eight characters or more, in lower case: attackers try them first. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
00000000 000000000 0123456789 10203040 11111111 111111111 1111111111 11223344 123123123 123321123 12341234
12344321 12345678 123456789 1234567890 12345678910 1234567q 1234qwer 123654789 147258369 159357456 1q2w3e4r
1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 20202020 22222222 33333333 44444444 55555555 66666666 77777777 789456123
87654321 88888888 987654321 987654321q 99999999 a1234567 a12345678 a123456789 aa123456 aa12345678 aaaaaaaa
abc12345 abc123456 abcd1234 abcdefg1 abcdefgh abcdefghi access14 admin123 admin1234 admin12345 adminadmin
administrator aezakmi1 alexande alexander arsenal1 asd12345 asdf1234 asdfasdf asdfghjk asdfghjkl autumn123
azerty123 azertyuiop babygirl babygirl1 barcelona baseball baseball1 basketball batman123 benjamin bigdaddy
bismillah blahblah blink182 brittany butterfly cameron1 caroline changeme changeme1 changeme123 charlie1
charlie123 charlotte chelsea1 chocolate christian christine christopher cocacola computer computer1 computers
corvette creative danielle danielle1 dearbook december default1 diamond1 dolphins dragon123 einstein elephant
elizabeth estrella february federico ferrari1 football football1 freedom1 friends1 fuckyou1 fuckyou2 garfield
golfgolf goodluck greenday guest123 hannah01 happy123 hardcore hello123 hellohello helloworld hockey123 icecream
ihateyou ilovegod iloveme1 iloveyou iloveyou! iloveyou1 iloveyou2 infinity internet jackson1 january1 jennifer
jessica1 jesus123 jesuschrist jonathan jordan23 juventus kingkong kristina letmein1 letmein123 letmeinn
liverpool liverpool1 logitech lollipop lovelove lovers12 loveyou1 manchester marlboro master123 matthew1
maverick mercedes metallica michael1 michelle microsoft midnight monkey123 moonlight mountain mustang1
mypassword myspace1 newpassword nicholas nintendo nirvana1 november october1 online12 overlord p@ssw0rd p@ssword
pa$$word pa55word pass1234 passpass passport1 passw0rd passw0rd1 password password! password1 password12
password123 password1234 password2 passwort patricia patriots peanut12 penelope personal platinum pokemon1
pokemon123 politics precious princess princess1 q1w2e3r4 qazwsxedc qwe12345 qweasdzxc qweqweqwe qwer1234
qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyui qwertyuiop rainbow1 rangers1 realmadrid redsox04
remember research response rockstar root1234 rootroot rosebud1 samantha samsung1 scooter1 scorpion sebastian
secret123 security september sessions shadow123 skywalker slipknot snoopy12 snowball soccer123 softball1
spiderman spring123 stargate startrek starwars steelers stephanie strawberry summer123 sunshine sunshine1
superman superman1 superstar sweetheart swimming temp1234 temppass tequila1 test1234 testing1 testing123
testtest thepassword thunder1 tinkerbell topsecret treasure trustno1 tweety12 undertaker user1234 username
valentina veronica vfhbyf11 victoria volleyball welcome1 welcome12 welcome123 whatever whatever1 winter123
wordpass wrestling xxxxxxxx yankees1 zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 zzzzzzzz
`
    .trim()
    .split(/\s+/),
);

/**
 * Messages by field for a new password: 8 to 256 characters of any kind, not among the most common.
 * @param confirm The repeated password; undefined if the form does not ask for it.
 */
export function findPasswordErrors(password: string, confirm: string | undefined): Record<string, string> {
  const errors: Record<string, string> = {};
  const length = [...password].length;
  if (password === '') errors.auth_password = EMPTY;
  else if (length < PASSWORD_LEAST)
    errors.auth_password = translate('Should have at least {count} characters', { count: PASSWORD_LEAST });
  else if (length > PASSWORD_MOST)
    errors.auth_password = translate('Should have at most {count} characters', { count: PASSWORD_MOST });
  else if (COMMON_PASSWORDS.has(password.toLowerCase())) {
    errors.auth_password = 'Is one of the most common passwords; choose another one';
  }
  if (confirm === '') errors.confirm = EMPTY;
  else if (confirm !== undefined && confirm !== password) errors.confirm = MISMATCH;
  return errors;
}

/** Whether a text is too long for any password: it is not hashed. */
export const isTooLong = (password: string): boolean =>
  password.length > PASSWORD_MOST * 2 || [...password].length > PASSWORD_MOST;

/** The hash of a new password; a call inside a transaction has computed it before. */
export async function makeHash({ services }: Context, request: Request, password: string): Promise<string> {
  return findHashes(request)?.take(password) ?? services.passwords.hash(password);
}
