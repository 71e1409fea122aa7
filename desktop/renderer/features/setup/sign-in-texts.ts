import { t } from '#renderer/language/translate.ts';

type Values = Readonly<Record<string, string | number>>;

/** What is found about directories and identity providers. */
export const SIGN_IN_TEXTS = {
  localUsers: () => t('People can sign in with passwords stored in this portal.'),
  noLocalUsers: () => t('People sign in only through directories and identity providers.'),
  providers: (values: Values) =>
    t(
      'The sign-in file has {count, plural, one {# directory or provider} other {# directories and providers}}.',
      values,
    ),
  directoryWorks: () => t('The directory accepts the name and password, and has the base entry.'),
  directoryRefusesName: () =>
    t('The directory rejects the name or password. Check bindDn and bindPassword in the sign-in file.'),
  directoryBaseMissing: () =>
    t('The directory has no entry with the name in baseDn. Check baseDn in the sign-in file.'),
  directoryUnreachable: (values: Values) =>
    t(
      'The directory cannot be reached: {reason}. Check urls, startTls and caFile in the sign-in file, and whether a firewall blocks the connection.',
      values,
    ),
  directoryFinds: (values: Values) => t('The directory finds {person}: {name}, {fullName}, {email}', values),
  directoryFindsNobody: (values: Values) =>
    t(
      'The directory does not find {person}, or finds several. Check userFilter and baseDn in the sign-in file.',
      values,
    ),
  oidcWorks: (values: Values) =>
    t(
      '{issuer} answers with its settings. The client ID and secret are used only in a sign-in: test that too.',
      values,
    ),
  oidcUnreachable: (values: Values) =>
    t('{address} does not answer as a provider: {reason}. Check issuer in the sign-in file.', values),
  oidcOtherIssuer: (values: Values) =>
    t(
      'The provider calls itself {named}, not {issuer}. Write issuer in the sign-in file exactly as the provider does.',
      values,
    ),
  samlCertificateValid: (values: Values) => t('The certificate {file} is valid until {day}.', values),
  samlCertificateEnds: (values: Values) =>
    t('The certificate {file} expires on {day}. Add its successor to the sign-in file before then.', values),
  samlCertificateEnded: (values: Values) =>
    t('The certificate {file} expired on {day}. Replace it with the current one.', values),
  samlCertificateUnreadable: (values: Values) =>
    t('{file} is not a certificate: {reason}. It must be a PEM file.', values),
  samlKeyDiffers: (values: Values) =>
    t(
      'The key {key} does not belong to the certificate {file}. Use a key and a certificate that belong together.',
      values,
    ),
  samlPageAnswers: (values: Values) => t('The sign-in page {address} answers.', values),
  samlPageUnreachable: (values: Values) =>
    t(
      "The server does not reach the sign-in page {address}: {reason}. Check signInUrl; only users' browsers need to reach it.",
      values,
    ),
};

/** What is found in a test of a sign-in. Nobody was signed in. */
export const SIGN_IN_TEST_TEXTS = {
  testAccepted: (values: Values) => t('The portal accepts the answer of the provider. It names {subject}.', values),
  testProfile: (values: Values) =>
    t('The portal reads the user name {name}, the full name {fullName} and the email address {email}.', values),
  testNoEmail: () =>
    t(
      'There is no usable email address, so this person gets no emails. Check scopes or attributes in the sign-in file.',
    ),
  testLasts: (values: Values) =>
    t('Without renewal, a session lasts at most {minutes, plural, one {# minute} other {# minutes}}.', values),
  testKnownUser: (values: Values) => t('This is the user {user} ({fullName}).', values),
  testNewUser: (values: Values) =>
    t('There is no user for this person yet. The first sign-in creates the user {user}, without any rights.', values),
  testDisabledUser: (values: Values) =>
    t('This is the user {user}, who is disabled, so the portal would reject the sign-in. Enable the user.', values),
  testNoUser: (values: Values) =>
    t(
      'There is no user for this person, so the portal would reject the sign-in. Create a user with the source {source} and the name {subject} at the provider, or set createUsers in the sign-in file.',
      values,
    ),
  testNameTaken: (values: Values) =>
    t(
      "There is no user for this person, and another user is already named {user}, so the portal would reject the sign-in. Create a user with another user name, the source {source} and the person's name at the provider.",
      values,
    ),
  testUnfit: (values: Values) =>
    t('No user can be created from this answer: {reason}. Check scopes or attributes in the sign-in file.', values),
  testNoSubject: () =>
    t(
      'The answer does not name the person, or the name is too long. Check userNameClaim or userNameAttribute in the sign-in file.',
    ),
  testOutside: (values: Values) =>
    t(
      '{user} may not sign in from {address}, outside the trusted networks, without the right sk.InternetAccess.',
      values,
    ),
  testRefused: (values: Values) =>
    t(
      'The portal rejects the answer of the provider: {reason}. The sign-in page of the documentation explains the reasons.',
      values,
    ),
};

/** What is found about the address of the portal and its certificate. */
export const ADDRESS_TEXTS = {
  addressOff: () =>
    t('The address of the portal is not set, so emails and messages contain no links. Set RUNSHEET_PUBLIC_URL.'),
  address: (values: Values) => t('People reach the portal at {address}', values),
  addressUnencrypted: () =>
    t(
      'The address begins with http://, so passwords and data can be read on the way. Set up HTTPS in the reverse proxy, then change RUNSHEET_PUBLIC_URL.',
    ),
  proxyNotTrusted: () =>
    t(
      'A reverse proxy forwards your calls, but RUNSHEET_TRUSTED_PROXIES does not name it. All users appear to have the same address, which weakens the limits and the log.',
    ),
  addressAnswers: (values: Values) => t('The portal answers at {address}', values),
  addressIsOther: (values: Values) =>
    t(
      'Something else answers at {address} (HTTP {status}). Check RUNSHEET_PUBLIC_URL, RUNSHEET_BASE_PATH and the reverse proxy.',
      values,
    ),
  addressUnreachable: (values: Values) =>
    t(
      'The server does not reach {address}: {reason}. Check RUNSHEET_PUBLIC_URL, the DNS entry and the reverse proxy. Some networks keep a server from calling its own public address.',
      values,
    ),
  certificateUntrusted: (values: Values) =>
    t('The certificate of {address} is not trusted: {reason}. Install a certificate of a trusted authority.', values),
  certificateValid: (values: Values) => t('The certificate is valid until {day}.', values),
  certificateEnds: (values: Values) => t('The certificate expires on {day}. Renew it in the reverse proxy.', values),
};
