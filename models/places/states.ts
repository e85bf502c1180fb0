/** States, provinces and territories that newspapers name without their country: name, country code, short forms. */
export const STATES = `Alabama|US|Ala.
Alaska|US
Arizona|US|Ariz.|AZ
Arkansas|US|Ark.
California|US|Calif.
Colorado|US|Colo.
Connecticut|US|Conn.|CT
Delaware|US|Del.
Florida|US|Fla.
Georgia|US|Ga.
Hawaii|US
Idaho|US
Illinois|US|Ill.
Indiana|US|Ind.
Iowa|US
Kansas|US|Kan.
Kentucky|US|Ky.
Louisiana|US|La.
Maine|US
Maryland|US|Md.
Massachusetts|US|Mass.
Michigan|US|Mich.
Minnesota|US|Minn.|MN
Mississippi|US|Miss.
Missouri|US|Mo.
Montana|US|Mont.
Nebraska|US|Neb.
Nevada|US|Nev.|NV
New Hampshire|US|N.H.
New Jersey|US|N.J.
New Mexico|US|N.M.
New York State|US|N.Y.|NY
North Carolina|US|N.C.
North Dakota|US|N.D.
Ohio|US
Oklahoma|US|Okla.
Oregon|US|Ore.
Pennsylvania|US|Pa.
Rhode Island|US|R.I.
South Carolina|US|S.C.
South Dakota|US|S.D.
Tennessee|US|Tenn.|TN
Texas|US|TX
Utah|US
Vermont|US|Vt.
Virginia|US|Va.
Washington State|US
West Virginia|US|W.Va.
Wisconsin|US|Wis.
Wyoming|US|Wyo.
Ontario|CA
Quebec|CA
British Columbia|CA
Alberta|CA
Manitoba|CA
Saskatchewan|CA
Nova Scotia|CA
New Brunswick|CA
Newfoundland|CA
England|GB
Scotland|GB
Wales|GB
Northern Ireland|GB
New South Wales|AU
Queensland|AU
Tasmania|AU
Western Australia|AU
South Australia|AU
Bavaria|DE
Saxony|DE
Brandenburg|DE
Hesse|DE
Catalonia|ES
Andalusia|ES
Lombardy|IT
Sicily|IT
Tuscany|IT
Normandy|FR
Brittany|FR
Corsica|FR
Crimea|UA
Donbas|UA
Donetsk|UA
Luhansk|UA
Chechnya|RU
Dagestan|RU
Siberia|RU
Tatarstan|RU
Punjab|IN
Kerala|IN
Gujarat|IN
Maharashtra|IN
Tamil Nadu|IN
Uttar Pradesh|IN
Madhya Pradesh|IN
Andhra Pradesh|IN
West Bengal|IN
Rajasthan|IN
Karnataka|IN
Bihar|IN
Odisha|IN
Haryana|IN
Telangana|IN
Jharkhand|IN
Chhattisgarh|IN
Assam|IN
Manipur|IN
Kashmir|IN
Sindh|PK
Balochistan|PK
Khyber Pakhtunkhwa|PK
Xinjiang|CN
Tibet|CN
Guangdong|CN
Sichuan|CN
Hunan|CN
Hubei|CN
Fujian|CN
Inner Mongolia|CN
Okinawa|JP
Hokkaido|JP
Rakhine|MM
Aceh|ID
Papua|ID
Mindanao|PH
Kurdistan|IQ
Anbar|IQ
Helmand|AF
Darfur|SD
Tigray|ET
Biafra|NG
Borno|NG
Lagos State|NG
Rivers State|NG
KwaZulu-Natal|ZA
Gauteng|ZA
Eastern Cape|ZA
Western Cape|ZA
Limpopo|ZA
Chiapas|MX
Sinaloa|MX
Jalisco|MX
Oaxaca|MX
Flanders|BE
Wallonia|BE
Gaza Strip|PS|Gaza
West Bank|PS
Somaliland|SO
Puntland|SO
Transnistria|MD
Abkhazia|GE
South Ossetia|GE
Nagorno-Karabakh|AZ
Zanzibar|TZ`
/** Wikidata ids of the states of the US, by name. */
export const STATE_IDS: ReadonlyMap<string, string> = new Map(
  `Alabama Q173
Alaska Q797
Arizona Q816
Arkansas Q1612
California Q99
Colorado Q1261
Connecticut Q779
Delaware Q1393
Florida Q812
Georgia Q1428
Hawaii Q782
Idaho Q1221
Illinois Q1204
Indiana Q1415
Iowa Q1546
Kansas Q1558
Kentucky Q1603
Louisiana Q1588
Maine Q724
Maryland Q1391
Massachusetts Q771
Michigan Q1166
Minnesota Q1527
Mississippi Q1494
Missouri Q1581
Montana Q1212
Nebraska Q1553
Nevada Q1227
New Hampshire Q759
New Jersey Q1408
New Mexico Q1522
New York State Q1384
North Carolina Q1454
North Dakota Q1207
Ohio Q1397
Oklahoma Q1649
Oregon Q824
Pennsylvania Q1400
Rhode Island Q1387
South Carolina Q1456
South Dakota Q1211
Tennessee Q1509
Texas Q1439
Utah Q829
Vermont Q16551
Virginia Q1370
Washington State Q1223
West Virginia Q1371
Wisconsin Q1537
Wyoming Q1214`
    .split('\n')
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)] as const),
)

/** Latitude and longitude of those that the open table has no division for. */
export const STATE_PLACES: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['Newfoundland', ['48.5', '-56']],
  ['Donbas', ['48.3', '38']],
  ['Siberia', ['60', '100']],
  ['Tatarstan', ['55.8', '49.1']],
  ['Kashmir', ['34.1', '74.8']],
  ['Mindanao', ['7.5', '125']],
  ['Kurdistan', ['36.2', '44']],
  ['Darfur', ['13.5', '24']],
  ['Biafra', ['6', '7.5']],
  ['Borno', ['11.8', '13.2']],
  ['Somaliland', ['9.6', '44.1']],
  ['Puntland', ['8.4', '48.5']],
  ['South Ossetia', ['42.2', '44']],
  ['Nagorno-Karabakh', ['39.8', '46.8']],
  ['Zanzibar', ['-6.2', '39.2']],
])
