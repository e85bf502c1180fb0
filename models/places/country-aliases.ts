/** Other names newspapers give to countries: country code, the name used here, aliases. Codes not listed keep their one name. */
export const COUNTRY_NAMES = `US|United States|United States of America|U.S.|US|U.S.A.|USA|America
GB|United Kingdom|U.K.|UK|Britain|Great Britain
AE|United Arab Emirates|UAE|U.A.E.|Emirates
KP|North Korea|N. Korea|DPRK
KR|South Korea|S. Korea|Republic of Korea
CN|China|People's Republic of China|PRC
HK|Hong Kong
MO|Macao|Macau
MM|Myanmar|Burma
CI|Ivory Coast|Côte d'Ivoire|Cote d'Ivoire
CD|Democratic Republic of the Congo|DR Congo|DRC|Democratic Republic of Congo|Zaire
CG|Republic of the Congo|Congo-Brazzaville|Congo
PS|Palestine|Palestinian Territories
CZ|Czech Republic|Czechia
RU|Russia|Russian Federation
SY|Syria
IR|Iran|Islamic Republic of Iran|Persia
VA|Vatican City|Vatican|Holy See
MK|North Macedonia|Macedonia
SZ|Eswatini|Swaziland
TR|Turkey|Türkiye|Turkiye
CV|Cape Verde|Cabo Verde
TL|Timor-Leste|East Timor
NL|Netherlands|Holland
BA|Bosnia and Herzegovina|Bosnia|Bosnia-Herzegovina
TT|Trinidad and Tobago|Trinidad
AG|Antigua and Barbuda|Antigua
ST|São Tomé and Príncipe|Sao Tome and Principe
VC|Saint Vincent and the Grenadines|St. Vincent and the Grenadines
KN|Saint Kitts and Nevis|St. Kitts and Nevis
LC|Saint Lucia|St. Lucia
CF|Central African Republic|CAR
SA|Saudi Arabia|Kingdom of Saudi Arabia
NZ|New Zealand
ZA|South Africa
TW|Taiwan|Republic of China
PG|Papua New Guinea
GE|Georgia
BN|Brunei`
