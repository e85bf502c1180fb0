/**
 * Continents, regions, waters and lands that newspapers name, written for this project: name, kind, country (of one alone), latitude,
 * longitude (about the middle), what it lies in, aliases. Degrees are rounded: they place a dot on a map of the world.
 */
export const REGIONS = `Africa|continent||2|21||
Asia|continent||45|90||
Europe|continent||50|15||
North America|continent||45|-100||
South America|continent||-15|-60||
Oceania|continent||-20|150||
Antarctica|continent||-82|20||Antarctic
Middle East|region||29|42|Asia|Mideast|Near East
Central America|region||13|-86|North America|
Latin America|region||-10|-65||
Caribbean|region||18|-70|North America|West Indies
West Africa|region||10|-2|Africa|Western Africa
East Africa|region||0|36|Africa|Eastern Africa
North Africa|region||28|10|Africa|Northern Africa|Maghreb
Southern Africa|region||-24|24|Africa|
Central Africa|region||2|18|Africa|Middle Africa
Sub-Saharan Africa|region||0|20|Africa|
Horn of Africa|region||8|45|Africa|
Sahel|region||15|5|Africa|
Eastern Europe|region||52|28|Europe|
Western Europe|region||48|5|Europe|
Northern Europe|region||60|15|Europe|
Southern Europe|region||41|14|Europe|
Central Europe|region||49|16|Europe|
Scandinavia|region||62|14|Europe|
Balkans|region||43|21|Europe|Western Balkans
Baltics|region||57|25|Europe|Baltic States|Baltic Region
Benelux|region||51|5|Europe|
British Isles|region||54|-4|Europe|
Iberia|region||40|-4|Europe|Iberian Peninsula
Caucasus|region||42|45|Asia|South Caucasus|North Caucasus
Central Asia|region||43|66|Asia|
East Asia|region||35|115|Asia|Eastern Asia|Far East
South Asia|region||24|78|Asia|Southern Asia|Indian Subcontinent
Southeast Asia|region||8|110|Asia|South-East Asia|South East Asia|South-eastern Asia
Western Asia|region||33|44|Asia|West Asia
Asia-Pacific|region||10|130||Asia Pacific|Indo-Pacific
Levant|region||33.5|36|Asia|
Persian Gulf States|region||25|51|Asia|Gulf States
Mesopotamia|region||33|44|Asia|
Anatolia|region|TR|39|33|Asia|
Arabian Peninsula|region||23|46|Asia|Arabia
Korean Peninsula|region||38|127.5|Asia|
Indochina|region||16|105|Asia|
Melanesia|region||-9|160|Oceania|
Polynesia|region||-15|-150|Oceania|
South Pacific|region||-15|-170|Oceania|
Midwest|region|US|42|-93|United States|Midwestern United States
New England|region|US|44|-71|United States|
Deep South|region|US|33|-88|United States|
Sun Belt|region|US|33|-100|United States|
Rust Belt|region|US|41|-82|United States|
Pacific Northwest|region|US|46|-121|United States|
Great Plains|region|US|41|-100|North America|
Appalachia|region|US|37|-82|United States|
Silicon Valley|region|US|37.4|-122|California|
Bay Area|region|US|37.8|-122.3|California|San Francisco Bay Area
Southern California|region|US|34|-117.5|California|SoCal
Northern California|region|US|39.5|-121.5|California|
Long Island|land|US|40.8|-73.2|New York State|
Florida Keys|land|US|24.7|-81.2|Florida|
Cape Cod|land|US|41.7|-70.2|Massachusetts|
Outer Banks|land|US|35.4|-75.6|North Carolina|
Patagonia|region||-45|-70|South America|
Amazon Rainforest|region||-4|-62|South America|Amazon Basin|Amazonia
Yucatan Peninsula|land|MX|20|-89|North America|Yucatán Peninsula
Arctic|region||82|0||Arctic Circle
Atlantic Ocean|water||10|-30||Atlantic
North Atlantic|water||45|-35||North Atlantic Ocean
South Atlantic|water||-25|-15||South Atlantic Ocean
Pacific Ocean|water||0|-160||Pacific
Indian Ocean|water||-20|80||
Arctic Ocean|water||85|0||
Southern Ocean|water||-65|0||
Mediterranean Sea|water||36|18||Mediterranean
Black Sea|water||43|34||
Red Sea|water||21|38||
Dead Sea|water||31.5|35.5|Asia|
Caspian Sea|water||41|51||Caspian
Baltic Sea|water||58|19|Europe|
North Sea|water||56|3|Europe|
Irish Sea|water||53.7|-5|Europe|
Celtic Sea|water||50.5|-8|Europe|
Norwegian Sea|water||68|2|Europe|
Barents Sea|water||75|40||
Adriatic Sea|water||43|15|Europe|Adriatic
Aegean Sea|water||38.5|25|Europe|Aegean
Ionian Sea|water||38|19|Europe|
Sea of Azov|water||46|37|Europe|Azov Sea
Sea of Marmara|water|TR|40.7|28.2|Turkey|
English Channel|water||50|-1|Europe|
Bay of Biscay|water||45|-4|Europe|
Strait of Gibraltar|water||36|-5.6||
Bosphorus|water|TR|41.1|29.1|Turkey|Bosporus
Dardanelles|water|TR|40.2|26.4|Turkey|
Kerch Strait|water||45.3|36.6|Europe|
Persian Gulf|water||26.5|52|Asia|Arabian Gulf
Gulf of Oman|water||24.5|58.5|Asia|
Gulf of Aden|water||12.5|48||
Strait of Hormuz|water||26.5|56.3|Asia|Straits of Hormuz
Arabian Sea|water||15|65||
Bay of Bengal|water||15|88||
Andaman Sea|water||10|96||
South China Sea|water||13|115|Asia|
East China Sea|water||29|125|Asia|
Yellow Sea|water||36|123|Asia|
Sea of Japan|water||40|135|Asia|East Sea
Taiwan Strait|water||24.5|119.5|Asia|Taiwan Straits
Strait of Malacca|water||4|100|Asia|Malacca Strait
Bering Sea|water||58|-178||
Bering Strait|water||66|-169||
Gulf of Mexico|water||25|-90|North America|
Gulf Coast|region|US|30|-90|United States|
Gulf of Alaska|water|US|57|-144|Alaska|
Gulf of Guinea|water||1|4|Africa|
Gulf of Thailand|water||10|102|Asia|
Gulf of Tonkin|water||20|108|Asia|
Caribbean Sea|water||15|-75||
Hudson Bay|water|CA|60|-85|Canada|
Chesapeake Bay|water|US|38|-76.2|United States|
San Francisco Bay|water|US|37.7|-122.3|California|
Tampa Bay|water|US|27.7|-82.5|Florida|
Puget Sound|water|US|47.7|-122.4|Washington State|
Guantanamo Bay|land|CU|19.9|-75.1|Cuba|Guantánamo Bay|Guantanamo|Guantánamo
Bay of Pigs|water|CU|22.1|-81.2|Cuba|
Great Lakes|water||45|-84|North America|
Lake Superior|water||47.7|-87.5|North America|
Lake Michigan|water|US|44|-87|United States|
Lake Huron|water||44.8|-82.4|North America|
Lake Erie|water||42.2|-81.2|North America|
Lake Ontario|water||43.7|-77.9|North America|
Lake Tahoe|water|US|39.1|-120|United States|
Lake Okeechobee|water|US|26.9|-80.8|Florida|
Great Salt Lake|water|US|41.2|-112.6|Utah|
Lake Mead|water|US|36.2|-114.4|United States|
Lake Victoria|water||-1|33|Africa|
Lake Tanganyika|water||-6|29.5|Africa|
Lake Malawi|water||-12|34.5|Africa|
Lake Chad|water||13|14|Africa|
Lake Baikal|water|RU|53.5|108|Russia|
Aral Sea|water||45|60|Asia|
Sea of Galilee|water|IL|32.8|35.6|Israel|
Lake Geneva|water||46.4|6.5|Europe|
Loch Ness|water|GB|57.3|-4.5|Scotland|
Lake Titicaca|water||-16|-69|South America|
Mississippi River|water|US|35|-90|United States|
Missouri River|water|US|44|-98|United States|
Ohio River|water|US|38|-86|United States|
Colorado River|water||36|-112|North America|
Columbia River|water||46|-120|North America|
Hudson River|water|US|42|-74|New York State|
East River|water|US|40.75|-73.95|New York State|
Potomac River|water|US|39|-77.3|United States|Potomac
Delaware River|water|US|40.5|-75|United States|
Rio Grande|water||29|-102|North America|Rio Grande River
Yukon River|water||64|-150|North America|
St. Lawrence River|water||47|-71|North America|Saint Lawrence River
Panama Canal|water|PA|9.1|-79.7|Panama|
Amazon River|water||-3|-58|South America|
Orinoco|water||8|-65|South America|Orinoco River
Nile|water||25|32|Africa|Nile River|River Nile
Blue Nile|water||12|35|Africa|
Congo River|water||-2|18|Africa|
Niger River|water||12|2|Africa|
Zambezi|water||-16|30|Africa|Zambezi River
Suez Canal|water|EG|30.5|32.3|Egypt|
Tigris|water||34|44|Asia|Tigris River
Euphrates|water||34|41|Asia|Euphrates River
Jordan River|water||32|35.5|Asia|River Jordan
Litani River|water|LB|33.4|35.6|Lebanon|
Indus|water||28|69|Asia|Indus River
Ganges|water||25.5|83|Asia|Ganges River|Ganga
Brahmaputra|water||27|94|Asia|Brahmaputra River
Mekong|water||15|105|Asia|Mekong River
Irrawaddy|water|MM|20|95|Myanmar|Irrawaddy River
Yangtze|water|CN|30|112|China|Yangtze River
Yellow River|water|CN|36|112|China|
Yalu River|water||40.5|125|Asia|Yalu
Amur|water||50|130|Asia|Amur River
Volga|water|RU|52|48|Russia|Volga River
Dnieper|water||49|33|Europe|Dnipro River|Dnieper River
Don River|water|RU|49|42|Russia|
Danube|water||45|25|Europe|Danube River
Rhine|water||50|8|Europe|Rhine River
Elbe|water||53|11|Europe|
Oder|water||52.5|14.6|Europe|
Seine|water|FR|49|1.5|France|
Loire|water|FR|47.4|0.7|France|
Thames|water|GB|51.5|-0.5|England|River Thames
Murray River|water|AU|-34.5|141|Australia|
Himalayas|land||28|84|Asia|Himalaya|Himalayan Mountains
Mount Everest|land||28|86.9|Asia|Everest|Mt. Everest
Karakoram|land||36|76|Asia|
Hindu Kush|land||35.5|71|Asia|
Tibetan Plateau|land|CN|33|88|China|
Alps|land||46.5|9.5|Europe|Swiss Alps|French Alps
Mont Blanc|land||45.8|6.9|Europe|
Pyrenees|land||42.7|1|Europe|
Carpathian Mountains|land||47.5|25|Europe|Carpathians
Apennines|land|IT|43|12.5|Italy|
Ural Mountains|land|RU|60|60|Russia|Urals
Caucasus Mountains|land||42.5|45|Asia|
Mount Vesuvius|land|IT|40.8|14.4|Italy|Vesuvius
Mount Etna|land|IT|37.8|15|Italy|
Mount Ararat|land|TR|39.7|44.3|Turkey|
Mount Sinai|land|EG|28.5|34|Egypt|
Sinai Peninsula|land|EG|29.5|34|Egypt|Sinai
Golan Heights|land||33|35.8|Asia|Golan
Mount Hermon|land||33.4|35.9|Asia|
Sinjar Mountain|land|IQ|36.4|41.8|Iraq|Mount Sinjar
Mount Kilimanjaro|land|TZ|-3.1|37.4|Tanzania|Kilimanjaro
Atlas Mountains|land||32|-5|Africa|
Mount Fuji|land|JP|35.4|138.7|Japan|
Rocky Mountains|land||43|-110|North America|Rockies
Appalachian Mountains|land||38|-81|North America|Appalachians
Sierra Nevada|land|US|37.5|-119|California|
Blue Ridge Mountains|land|US|36.5|-81|United States|
Mount Rushmore|land|US|43.9|-103.5|South Dakota|
Mount St. Helens|land|US|46.2|-122.2|Washington State|Mount Saint Helens
Mount Rainier|land|US|46.9|-121.8|Washington State|
Denali|land|US|63.1|-151|Alaska|Mount McKinley
Grand Canyon|land|US|36.1|-112.1|Arizona|
Yosemite|land|US|37.9|-119.5|California|Yosemite National Park
Yellowstone|land|US|44.6|-110.5|Wyoming|Yellowstone National Park
Everglades|land|US|25.9|-80.9|Florida|
Death Valley|land|US|36.5|-117|California|
Andes|land||-20|-68|South America|Andes Mountains
Sahara|land||23|12|Africa|Sahara Desert
Kalahari|land||-23|22|Africa|Kalahari Desert
Namib|land|NA|-24|15|Namibia|Namib Desert
Gobi|land||43|104|Asia|Gobi Desert
Negev|land|IL|30.8|34.8|Israel|Negev Desert
Mojave Desert|land|US|35|-116|United States|
Sonoran Desert|land||32|-112.5|North America|
Atacama Desert|land|CL|-24|-69|Chile|Atacama
Great Barrier Reef|land|AU|-18|147|Australia|
Cape of Good Hope|land|ZA|-34.4|18.5|South Africa|
Cape Horn|land|CL|-56|-67|Chile|
Crimean Peninsula|land|UA|45.3|34.4|Europe|
Kamchatka|land|RU|57|160|Russia|Kamchatka Peninsula
Kuril Islands|land||46.5|151|Asia|Kurils
Spratly Islands|land||9|113|Asia|Spratlys
Paracel Islands|land||16.5|112|Asia|Paracels
Senkaku Islands|land||25.7|123.5|Asia|Senkakus|Diaoyu Islands
Scarborough Shoal|land||15.1|117.8|Asia|
Borneo|land||1|114|Asia|
Sumatra|land|ID|0|102|Indonesia|
Java|land|ID|-7.3|110|Indonesia|
Sulawesi|land|ID|-2|121|Indonesia|
Bali|land|ID|-8.4|115.2|Indonesia|
Luzon|land|PH|16|121|Philippines|
New Guinea|land||-5.5|141|Oceania|
Honshu|land|JP|36|138|Japan|
Kyushu|land|JP|33|131|Japan|
Jeju Island|land|KR|33.4|126.5|South Korea|Jeju
Hainan|land|CN|19.2|109.7|China|Hainan Island
Sakhalin|land|RU|51|143|Russia|
Lesbos|land|GR|39.2|26.3|Greece|
Lampedusa|land|IT|35.5|12.6|Italy|
Sardinia|land|IT|40|9|Italy|
Crete|land|GR|35.2|24.9|Greece|
Balearic Islands|land|ES|39.6|2.9|Spain|
Canary Islands|land|ES|28.3|-16.5|Spain|Canaries
Galapagos Islands|land|EC|-0.7|-90.5|Ecuador|Galápagos Islands|Galapagos|Galápagos
Hispaniola|land||19|-71|North America|
Hawaiian Islands|land|US|20.8|-157|Hawaii|
Martha's Vineyard|land|US|41.4|-70.6|Massachusetts|
Nantucket|land|US|41.3|-70.1|Massachusetts|
Robben Island|land|ZA|-33.8|18.4|South Africa|`
/** Names by which Wikidata ids of regions are found in the borders of country-coder, where they differ. */
export const CODER_NAMES: ReadonlyMap<string, string> = new Map([
  ['West Africa', 'Western Africa'],
  ['East Africa', 'Eastern Africa'],
  ['North Africa', 'Northern Africa'],
  ['Central Africa', 'Middle Africa'],
  ['East Asia', 'Eastern Asia'],
  ['South Asia', 'Southern Asia'],
  ['Southeast Asia', 'South-eastern Asia'],
])
